namespace Serdica.Perf.Compliance;

/// <summary>Leases and fencing tokens: who may still report, and who has slept too long.</summary>
public abstract class LeaseCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Extension_with_an_old_token_or_of_nothing_is_returned_as_lost()
    {
        var instance = Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running);
        var signal = Seam.Lease(instance.Id, token: 2, FromMinutes(1));
        var timer = Seam.Lease(instance.Id, token: 2, FromMinutes(30)) with { Kind = SignalKind.Timer };
        await Backend.SubmitAsync(Seam.Start(instance, signal, timer, Seam.Lease(instance.Id, token: 2, FromMinutes(10))));
        var held = new ActivityLease(instance.Id, signal.Id, 2);
        ActivityLease[] others =
        [
            held with { Token = 1 },
            held with { Token = 3 },
            held with { ActivityId = Guid.CreateVersion7() },
            held with { ActivityId = timer.Id },
            held with { InstanceId = Guid.CreateVersion7() },
        ];

        var lost = await Backend.ExtendLeasesAsync([others[0], held, .. others[1..]], FromMinutes(20), Token);

        Assert.Equal(others.ToHashSet(), lost.ToHashSet());

        // That of the lease that nobody has asked for.
        Assert.InRange((await Backend.ProcessAsync(10, Seam.Count, Token)).NextDue!.Value, FromMinutes(5), FromMinutes(10));
    }

    [Fact]
    public async Task Lease_that_has_run_out_cannot_be_extended()
    {
        var instance = Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running);
        var signal = Seam.Lease(instance.Id, token: 1, TimeSpan.Zero);
        await Backend.SubmitAsync(Seam.Start(instance, signal));
        var lease = new ActivityLease(instance.Id, signal.Id, 1);
        await Eventually(async () => (await Census()).SignalsDue == 1, "the lease has run out");

        Assert.Equal([lease], await Backend.ExtendLeasesAsync([lease], FromMinutes(1), Token));

        Assert.Equal(["only"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Withdrawn_leases_are_gone_though_they_are_extended_at_the_same_moment()
    {
        var extender = Connect();
        for (var round = 0; round < 25; round++)
        {
            var leases = await StartReportedAsync(count: 40);

            // The other way round, so that two that locked in the order of their callers would block each other.
            var holder = leases.Reverse().ToList();
            var extending = Task.Run(() => extender.ExtendLeasesAsync(holder, FromMinutes(2), Token), Token);
            var outcome = await Backend.ProcessAsync(1_000, batch => WithdrawAll(batch, leases), Token);
            await extending;

            Assert.Equal(new ProcessOutcome(40), outcome);
            Assert.Equal(0, (await Census()).SignalsLater);
            Assert.Equal(leases.ToHashSet(), (await extender.ExtendLeasesAsync(leases, FromMinutes(2), Token)).ToHashSet());
        }
    }

    [Fact]
    public async Task Extending_nothing_loses_nothing() => Assert.Empty(await Backend.ExtendLeasesAsync([], FromMinutes(1), Token));

    [Fact]
    public async Task Host_keeps_the_lease_of_an_activity_that_outlasts_it()
    {
        var calls = 0;
        var extensions = new CountsExtensions(Connect());
        var definition = Extended("long", extensions, times: 4, () => Interlocked.Increment(ref calls));
        var host = await HostAsync(extensions, Renewing, definition);
        await HostAsync(extensions, Renewing, definition);

        var started = await host.Client.StartAsync(definition);

        await Completes(host.Client, started.Id);
        Assert.Equal(1, calls);
    }

    [Fact]
    public async Task Worker_that_wakes_after_its_lease_ran_out_is_refused_by_its_token()
    {
        var entered = new TaskCompletionSource();
        var wake = new TaskCompletionSource();
        var zombie = Naming(
            "zombie",
            async () =>
            {
                entered.TrySetResult();
                await wake.Task;
            }
        );
        var heir = Naming("heir", () => Task.CompletedTask);
        var options = Quick with { MaxPollInterval = FromMilliseconds(50) };
        var asleep = await HostAsync(new Sleeps(Connect(), FromMilliseconds(500)), options, zombie);
        var started = await asleep.Client.StartAsync(zombie);
        await entered.Task.WaitAsync(Token);

        // The sleeper takes no new work while it sleeps; the other host finds the lease when it has run out.
        var awake = await HostAsync(options, heir);
        await Eventually(async () => (await RecordOf(started.Id)).Step == "end", "another host has done the activity");
        var before = await RecordOf(started.Id);
        wake.SetResult();
        await Eventually(async () => await VersionOf(started.Id) > before.Version, "the late report is handled");

        var ledger = await StateOf(awake.Client, started.Id);
        Assert.Equal("heir", ledger.Note);
        Assert.Equal([2], ledger.Entries);
        await Quiescence();
        await CountedAsync(awake, asleep);
        Assert.Equal(1, awake.Counters.StaleSignals + asleep.Counters.StaleSignals);
    }

    [Fact]
    public async Task Activity_whose_last_allowed_attempt_died_with_its_worker_fails_for_good()
    {
        var definition = Workflow
            .Define<Ledger>("once-only")
            .Activity(
                "call",
                (_, context) => Task.Delay(Timeout.Infinite, context.CancellationToken),
                new ActivityOptions { Retry = RetryPolicy.None }
            )
            .Build();
        var options = Quick with
        {
            DrainTimeout = FromMilliseconds(10),
            MaxPollInterval = FromMilliseconds(50),
        };
        var dying = await HostAsync(options, definition);
        var started = await dying.Client.StartAsync(definition);
        await Eventually(() => dying.Counters.ActivityAttempts == 1, "the activity runs");
        await dying.StopAsync(Token);

        var heir = await HostAsync(options, definition);

        var record = await CloseOf(heir.Client, started.Id);
        Assert.Equal(InstanceStatus.Faulted, record.Status);
        Assert.Contains("the lease of attempt 1 ran out", record.Error);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Activity_that_was_leased_in_a_commit_without_an_answer_runs_as_its_first_attempt(bool inTheTurnThatReachesIt)
    {
        var attempts = new ConcurrentQueue<int>();
        var definition = (
            inTheTurnThatReachesIt
                ? Workflow.Define<Ledger>("unanswered").WaitFor<int>("begin", (_, _) => { })
                : Workflow.Define<Ledger>("unanswered")
        )
            .Activity(
                "call",
                (_, context) =>
                {
                    attempts.Enqueue(context.Attempt);
                    return Task.CompletedTask;
                },
                new ActivityOptions { Retry = RetryPolicy.None }
            )
            .Build();
        var host = await HostAsync(new LosesAnswersOfClaims(Connect()), Quick, definition);
        var client = Client(definition);

        var started = await client.StartAsync(definition);
        if (inTheTurnThatReachesIt)
            await client.SendAsync(started.Id, "begin", 1);

        var record = await CloseOf(client, started.Id);
        Assert.Equal((InstanceStatus.Completed, null), (record.Status, record.Error));
        Assert.Equal([1], attempts);
        await Quiescence();
        await CountedAsync(host);
        Assert.Equal(1, host.Counters.BackendFailures);
    }

    [Fact]
    public async Task Lease_of_another_host_after_a_claim_that_was_lost_is_not_taken_for_ones_own()
    {
        var calls = 0;
        var mayEnd = new TaskCompletionSource();
        var entered = new TaskCompletionSource();
        var definition = Workflow
            .Define<Ledger>("contested")
            .Activity(
                "call",
                async (_, _) =>
                {
                    Interlocked.Increment(ref calls);
                    entered.TrySetResult();
                    await mayEnd.Task;
                }
            )
            .Build();
        var losing = new LosesClaims(Connect(), readAfter: entered.Task);
        var loser = await HostAsync(losing, Quick, definition);
        var client = Client(definition);
        var started = await client.StartAsync(definition);
        // Another worker of the host may have polled before the first one lost its claim, and lose one too.
        await Eventually(() => loser.Counters.BackendFailures >= 1, "the first claim is lost");

        await HostAsync(Quick, definition);
        await entered.Task.WaitAsync(Token);
        await Eventually(() => losing.Reads > 0, "the first host has seen the lease");
        Assert.Equal(1, calls);
        mayEnd.SetResult();

        await Completes(client, started.Id);
        Assert.Equal((1, 0), (calls, loser.Counters.ActivityAttempts));
    }

    [Fact]
    public async Task Report_that_was_there_before_the_lease_ran_out_counts()
    {
        var calls = 0;
        var definition = Workflow
            .Define<Ledger>("reported")
            .Activity("call", (_, _) => Task.FromResult(Interlocked.Increment(ref calls)), (ledger, number) => ledger.Entries.Add(number))
            .Build();
        var options = Quick with { ActivityLease = FromSeconds(10), Workers = 1 };
        var stopped = await HostAsync(new ClaimsOnce(Connect()), options, definition);
        var started = await stopped.Client.StartAsync(definition);
        await Eventually(async () => (await Census()).SignalsDue == 2, "report and lease are both due");

        var host = await HostAsync(options, definition);

        await Completes(host.Client, started.Id);
        Assert.Equal([1], await EntriesOf(host.Client, started.Id));
        Assert.Equal(1, calls);
    }

    [Fact]
    public async Task Failed_attempt_whose_report_and_lease_come_in_one_claim_is_retried_after_its_pause_and_disturbs_nobody()
    {
        var attempts = new ConcurrentQueue<(int Attempt, long At)>();
        var retry = new RetryPolicy { MaxAttempts = 3, FirstDelay = FromMilliseconds(400), Jitter = 0 };
        var definition = Workflow
            .Define<Ledger>("failing")
            .Activity(
                "call",
                (_, context) =>
                {
                    attempts.Enqueue((context.Attempt, Environment.TickCount64));
                    return context.Attempt < 2 ? throw new TimeoutException("Not yet.") : Task.FromResult(context.Attempt);
                },
                (ledger, number) => ledger.Entries.Add(number),
                new ActivityOptions { Retry = retry }
            )
            .Build();
        // Long enough for the report to come before the lease ends on a busy machine: in the other order there is no pause.
        var options = Quick with { ActivityLease = FromSeconds(10), Workers = 1 };
        var stopped = await HostAsync(new ClaimsOnce(Connect()), options, definition);
        var started = await stopped.Client.StartAsync(definition);
        await Eventually(async () => (await Census()).SignalsDue == 2, "report and lease are both due");
        var client = Client(Definitions.Appending);
        var bystander = await client.StartAsync(Definitions.Appending);
        await client.SendAsync(bystander.Id, "append", Definitions.Last);

        var before = Environment.TickCount64;
        var host = await HostAsync(options with { ActivityLease = Quick.ActivityLease }, definition, Definitions.Appending);

        await Completes(client, bystander.Id);
        await Completes(host.Client, started.Id);
        Assert.Equal([1, 2], attempts.Select(attempt => attempt.Attempt));
        Assert.True(attempts.Last().At - before >= 390, "The pause before the second attempt was skipped.");
        await Quiescence();
        await CountedAsync(host);
        Assert.Equal((0L, 0L, 1L), (host.Counters.BackendFailures, host.Counters.Conflicts, host.Counters.StaleSignals));
    }

    [Fact]
    public async Task Extension_of_a_failed_attempt_does_not_move_its_retry()
    {
        var attempted = new TaskCompletionSource<Guid>();
        var definition = Workflow
            .Define<Ledger>("failing-once")
            .Activity(
                "call",
                (_, context) =>
                {
                    attempted.TrySetResult(context.ActivityId);
                    throw new TimeoutException("Not yet.");
                },
                new ActivityOptions
                {
                    Retry = new RetryPolicy { MaxAttempts = 2, FirstDelay = FromMinutes(1), MaxDelay = FromMinutes(1) },
                }
            )
            .Build();
        var (_, started) = await StartedAsync(definition);

        // The first attempt is leased in the commit of the start, or in a turn of its own.
        var turns = Backend.Capabilities.DecidesDirectly ? 1 : 2;
        await Eventually(async () => await VersionOf(started.Id) == turns, "the report of the first attempt is handled");
        var failed = new ActivityLease(started.Id, await attempted.Task, Token: 1);

        Assert.Equal([failed], await Backend.ExtendLeasesAsync([failed], FromHours(1), Token));
    }

    [Fact]
    public async Task Stopping_host_keeps_the_leases_of_what_it_drains()
    {
        var calls = 0;
        var extensions = new CountsExtensions(Connect());
        var definition = Extended("draining", extensions, times: 4, () => Interlocked.Increment(ref calls));
        var stopping = await HostAsync(extensions, Renewing with { DrainTimeout = HangGuard.Limit }, definition);
        var started = await stopping.Client.StartAsync(definition);
        await Eventually(() => Volatile.Read(ref calls) == 1, "the activity runs");

        var other = await HostAsync(Renewing, definition);
        await stopping.StopAsync(Token);

        await Completes(other.Client, started.Id);
        Assert.Equal(1, calls);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public async Task Report_that_could_not_be_written_is_written_again_and_its_activity_runs_once(int maxAttempts)
    {
        var calls = 0;
        var retry = RetryPolicy.Default with { MaxAttempts = maxAttempts };
        var definition = Workflow
            .Define<Ledger>("unreported")
            .Activity(
                "call",
                (_, _) => Task.FromResult(Interlocked.Increment(ref calls)),
                (ledger, number) => ledger.Entries.Add(number),
                new ActivityOptions { Retry = retry }
            )
            .Build();
        var failing = new FailsReports(Connect(), times: 4);
        var (host, started) = await StartedAsync(failing, Quick, definition);

        await Completes(host.Client, started.Id);
        Assert.Equal([1], await EntriesOf(host.Client, started.Id));
        Assert.Equal((1, 0), (calls, failing.Left));
    }

    [Fact]
    public async Task Lease_that_is_given_back_is_due_at_once()
    {
        var instance = Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running);
        var signal = Seam.Lease(instance.Id, token: 1, FromHours(1));
        await Backend.SubmitAsync(Seam.Start(instance, signal));
        var lease = new ActivityLease(instance.Id, signal.Id, 1);

        Assert.Equal([lease with { Token = 2 }], await Backend.ExtendLeasesAsync([lease, lease with { Token = 2 }], TimeSpan.Zero, Token));

        Assert.Equal(["only"], await Connect().TakeAsync());
        Assert.Equal([lease], await Backend.ExtendLeasesAsync([lease], FromHours(1), Token));
    }

    [Fact]
    public async Task Stopping_host_gives_back_the_leases_of_what_it_cancels()
    {
        var definition = Workflow
            .Define<Ledger>("handed-over")
            .Activity(
                "call",
                async (_, context) =>
                {
                    context.CancellationToken.Register(static () => throw new FormatException("It is not to end."));
                    if (context.Attempt == 1)
                        await Task.Delay(Timeout.Infinite, context.CancellationToken);
                    return context.Attempt;
                },
                (ledger, attempt) => ledger.Entries.Add(attempt)
            )
            .Build();
        var options = Quick with { ActivityLease = FromHours(1), DrainTimeout = FromMilliseconds(10) };
        var stopping = await HostAsync(options, definition);
        var started = await stopping.Client.StartAsync(definition);
        await Eventually(() => stopping.Counters.ActivityAttempts == 1, "the activity runs");
        var other = await HostAsync(options, definition);

        await stopping.StopAsync(Token);

        await Completes(other.Client, started.Id);
        Assert.Equal([2], await EntriesOf(other.Client, started.Id));
    }

    [Fact]
    public async Task Host_that_cannot_extend_its_leases_cancels_their_activities_by_its_own_clock()
    {
        var cancelled = new TaskCompletionSource(RunContinuationsAsynchronously);
        var definition = Workflow
            .Define<Ledger>("cut-off")
            .Activity(
                "call",
                async (_, context) =>
                {
                    if (cancelled.Task.IsCompleted)
                        return;
                    await using var registration = context.CancellationToken.Register(() => cancelled.TrySetResult());
                    await cancelled.Task;
                }
            )
            .Build();
        var options = Quick with { ActivityLease = FromSeconds(2) };
        var cutOff = await HostAsync(new HangsOnExtension(Connect(), times: int.MaxValue), options, definition);
        await cutOff.Client.StartAsync(definition);

        await cancelled.Task.InTime();
    }

    [Fact]
    public async Task Extension_that_gets_no_answer_is_tried_again_in_time()
    {
        var calls = 0;
        var extensions = new CountsExtensions(new HangsOnExtension(Connect(), times: 1));
        var definition = Extended("slow-extension", extensions, times: 1, () => Interlocked.Increment(ref calls));
        var options = Renewing with { ActivityLease = FromSeconds(24) };
        var host = await HostAsync(extensions, options, definition);
        await HostAsync(extensions, options, definition);

        var started = await host.Client.StartAsync(definition);

        await Completes(host.Client, started.Id);
        Assert.Equal(1, calls);
    }

    /// <summary>Instances whose activity is leased and has reported: one signal later, one due.</summary>
    private async Task<ActivityLease[]> StartReportedAsync(int count)
    {
        var starts = Range(0, count)
            .Select(_ => Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running))
            .Select(instance => (Instance: instance, Lease: Seam.Lease(instance.Id, token: 1, FromMinutes(1))))
            .ToList();
        await Backend.SubmitAsync([.. starts.Select(start => Seam.Start(start.Instance, start.Lease))], Token);
        await Backend.SubmitAsync([.. starts.Select(start => Seam.Publish(start.Instance.Id, "report"))], Token);
        return [.. starts.Select(start => new ActivityLease(start.Instance.Id, start.Lease.Id, 1))];
    }

    private static IReadOnlyList<Decision> WithdrawAll(ClaimedBatch batch, IReadOnlyList<ActivityLease> leases) =>
        [
            .. batch.Instances.Select(claimed =>
            {
                var decision = Seam.Count(claimed);
                decision.Withdrawn = [leases.Single(lease => lease.InstanceId == claimed.Instance.Id).ActivityId];
                return decision;
            }),
        ];

    /// <summary>
    /// Leases that are renewed every three seconds, with five to spare for a machine that is busy. Four renewals outlast a lease.
    /// </summary>
    private static WorkflowOptions Renewing { get; } =
        Quick with { ActivityLease = FromSeconds(10), MaxPollInterval = FromMilliseconds(50) };

    /// <summary>An activity that ends when its lease has been extended this many times.</summary>
    private static WorkflowDefinition<Ledger> Extended(string name, CountsExtensions extensions, int times, Action called) =>
        Workflow
            .Define<Ledger>(name)
            .Activity(
                "call",
                (_, context) =>
                {
                    called();
                    return extensions.ReachAsync(times, context.CancellationToken);
                }
            )
            .Build();

    private static WorkflowDefinition<Ledger> Naming(string worker, Func<Task> during) =>
        Workflow
            .Define<Ledger>("naming")
            .Activity(
                "call",
                async (_, context) =>
                {
                    await during();
                    return new Done(worker, context.Attempt);
                },
                (ledger, done) =>
                {
                    ledger.Note = done.Worker;
                    ledger.Entries.Add(done.Attempt);
                }
            )
            .WaitFor<int>("end", (_, _) => { })
            .Build();

    private sealed record Done(string Worker, int Attempt);

    /// <summary>Tells when leases were extended, and lets nothing else differ.</summary>
    private sealed class CountsExtensions(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        private readonly SemaphoreSlim _extended = new(0);

        public async Task ReachAsync(int times, CancellationToken cancellationToken)
        {
            for (var i = 0; i < times; i++)
                await _extended.WaitAsync(cancellationToken);
        }

        public override async Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
            IReadOnlyList<ActivityLease> leases,
            TimeSpan duration,
            CancellationToken cancellationToken
        )
        {
            var lost = await base.ExtendLeasesAsync(leases, duration, cancellationToken);
            if (lost.Count == 0)
                _extended.Release();
            return lost;
        }
    }

    /// <summary>
    /// A process that sleeps: it renews no lease and, after its first batch, claims nothing. What it has leased runs out
    /// in the database before it does by the clock of the process, which has stood still.
    /// </summary>
    private sealed class Sleeps(IWorkflowBackend inner, TimeSpan lease) : ClaimsOnce(inner)
    {
        public override Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
            base.ProcessAsync(request, async batch => Shorten(await decide(batch)), cancellationToken);

        public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
            IReadOnlyList<ActivityLease> leases,
            TimeSpan duration,
            CancellationToken cancellationToken
        ) => Task.FromResult<IReadOnlyList<ActivityLease>>([]);

        private IReadOnlyList<Decision> Shorten(IReadOnlyList<Decision> decisions)
        {
            foreach (var sent in decisions.Select(decision => decision.Sent).OfType<List<Signal>>())
            {
                for (var i = 0; i < sent.Count; i++)
                    sent[i] = sent[i].Kind == SignalKind.Activity ? sent[i] with { Due = Due.After(lease) } : sent[i];
            }

            return decisions;
        }
    }

    /// <summary>Loses the connection when reports of activities are to be written, a number of times.</summary>
    private sealed class FailsReports(IWorkflowBackend inner, int times) : BackendDecorator(inner)
    {
        private int _left = times;

        public int Left => Volatile.Read(ref _left);

        public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
        {
            var hasReport = batch.OfType<SignalSubmission>().Any(item => item.Signal.Kind == SignalKind.ActivityResult);
            if (!hasReport || Left == 0)
                return base.SubmitAsync(batch, cancellationToken);
            Interlocked.Decrement(ref _left);
            throw new WorkflowBackendException("The connection is lost.", isTransient: true);
        }
    }

    /// <summary>Gives no answer to extensions, and hears of no cancellation, a number of times.</summary>
    private sealed class HangsOnExtension(IWorkflowBackend inner, int times) : BackendDecorator(inner)
    {
        private int _left = times;

        public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
            IReadOnlyList<ActivityLease> leases,
            TimeSpan duration,
            CancellationToken cancellationToken
        ) =>
            Interlocked.Decrement(ref _left) >= 0
                ? new TaskCompletionSource<IReadOnlyList<ActivityLease>>().Task
                : base.ExtendLeasesAsync(leases, duration, cancellationToken);
    }

    /// <summary>Loses the connection before its first commit, and claims nothing afterwards.</summary>
    private sealed class LosesClaims(IWorkflowBackend inner, Task readAfter) : BackendDecorator(inner)
    {
        private int _reads;
        private int _lost;

        public int Reads => Volatile.Read(ref _reads);

        public override Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
            Volatile.Read(ref _lost) > 0
                ? Task.FromResult<ProcessOutcome>(default)
                : base.ProcessAsync(
                    request,
                    async batch =>
                    {
                        await decide(batch);
                        Interlocked.Increment(ref _lost);
                        throw new WorkflowBackendException("The connection is lost.", isTransient: true);
                    },
                    cancellationToken
                );

        public override async Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
        {
            await readAfter.WaitAsync(cancellationToken);
            var record = await base.FindAsync(instanceId, cancellationToken);
            Interlocked.Increment(ref _reads);
            return record;
        }
    }

    private class ClaimsOnce(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        private int _claims;

        public override async Task<ProcessOutcome> ProcessAsync(
            ClaimRequest request,
            DecideBatch decide,
            CancellationToken cancellationToken
        )
        {
            if (Volatile.Read(ref _claims) > 0)
                return default;
            var outcome = await base.ProcessAsync(request, decide, cancellationToken);
            if (outcome.Signals > 0)
                Interlocked.Increment(ref _claims);
            return outcome;
        }
    }
}

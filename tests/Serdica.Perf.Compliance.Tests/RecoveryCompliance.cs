namespace Serdica.Perf.Compliance;

/// <summary>What is left when a worker, a host or its knowledge goes away.</summary>
public abstract class RecoveryCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private sealed class FastClock : TimeProvider
    {
        public static readonly TimeSpan By = FromMinutes(1);

        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + By;
    }

    [Fact]
    public async Task Claim_of_a_worker_that_dies_falls_to_the_others()
    {
        var client = Client(Definitions.Appending);
        var started = await StartAsync(client, Definitions.Appending, 10);
        foreach (var instance in started)
            await client.SendAsync(instance.Id, "append", 1);

        await Assert.ThrowsAsync<InvalidTimeZoneException>(() =>
            Backend.ProcessAsync(100, batch => throw new InvalidTimeZoneException($"Died holding {batch.Instances.Count}."), Token)
        );
        await HostAsync(Definitions.Appending);
        await Eventually(async () => (await Census()).SignalsDue == 0, "another worker has taken over");

        foreach (var instance in started)
        {
            Assert.Equal(1, await VersionOf(instance.Id));
            Assert.Equal([1], await EntriesOf(client, instance.Id));
        }
    }

    [Fact]
    public async Task Hosts_know_how_far_their_clocks_are_from_that_of_the_database()
    {
        async Task<ClockDifference> MeasureAsync(TimeProvider time)
        {
            var registry = new WorkflowRegistry([Definitions.Appending]);
            await using var host = new WorkflowHost(Connect(), registry, Quick with { DirectSignals = false }, time: time);
            await host.StartAsync(Token);
            Assert.Null(host.ClockDifference);
            var started = await host.Client.StartAsync(Definitions.Appending);
            await host.Client.SendAsync(started.Id, "append", Definitions.Last);
            await CloseOf(host.Client, started.Id);
            return host.ClockDifference!.Value;
        }

        var right = await MeasureAsync(TimeProvider.System);
        var fast = await MeasureAsync(new FastClock());

        var apart = fast.Ahead - right.Ahead;
        Assert.InRange(FastClock.By - apart, -right.Uncertainty - fast.Uncertainty, right.Uncertainty + fast.Uncertainty);
        Assert.InRange(apart, FastClock.By / 2, 2 * FastClock.By);
    }

    [Fact]
    public async Task Workers_whose_claims_fail_now_and_then_lose_and_double_nothing()
    {
        var host = await HostAsync(new FailsNowAndThen(Connect()), Quick with { Workers = 4, ClaimBatch = 5 }, Definitions.Appending);
        var started = await host.Client.StartAsync(Definitions.Appending);

        for (var i = 0; i < 30; i++)
            await host.Client.SendAsync(started.Id, "append", i);
        await host.Client.SendAsync(started.Id, "append", Definitions.Last);

        Assert.Equal(31, (await CloseOf(host.Client, started.Id)).Version);
        Assert.Equal(Range(0, 30), await EntriesOf(host.Client, started.Id));
        await CountedAsync(host);
        Assert.True(host.Counters.BackendFailures > 0, "No claim has failed: the test has shown nothing.");
    }

    [Fact]
    public async Task Host_that_does_not_know_a_definition_puts_it_off_and_handles_the_others()
    {
        var client = Client(Definitions.Approval, Definitions.Appending);
        var unknown = await client.StartAsync(Definitions.Approval);
        var known = await client.StartAsync(Definitions.Appending);
        await client.SendAsync(unknown.Id, "approve", "yes");
        await client.SendAsync(known.Id, "append", Definitions.Last);

        var ignorant = await HostAsync(Definitions.Appending);
        await CloseOf(client, known.Id);
        await Eventually(() => ignorant.Counters.Deferred > 0, "the unknown one is put off");
        Assert.Equal((InstanceStatus.Waiting, 0L), (await StatusOf(unknown.Id), await VersionOf(unknown.Id)));
        await HostAsync(Definitions.Approval);

        await Completes(client, unknown.Id);
        Assert.Empty(await DeadLetters());
        await CountedAsync(ignorant);
        Assert.Equal((1, 0), (ignorant.Counters.Signals, ignorant.Counters.BackendFailures));
    }

    [Fact]
    public async Task Signals_of_a_definition_that_a_host_lacks_keep_their_order_and_are_left_alone()
    {
        var client = Client(Definitions.Appending);
        var started = await client.StartAsync(Definitions.Appending);
        for (var i = 0; i < 5; i++)
            await client.SendAsync(started.Id, "append", i);
        var ignorant = await HostAsync(Quick with { MaxPollInterval = FromMilliseconds(20) }, Definitions.Approval);
        await Eventually(() => ignorant.Counters.Deferred > 0, "the host has met it");
        await Eventually(() => ignorant.Counters.EmptyClaims > 20, "the host has polled often");
        if (Backend.Capabilities.FiltersDefinitions)
            Assert.InRange(ignorant.Counters.Deferred, 1, 5 * Quick.Workers);
        await client.SendAsync(started.Id, "append", Definitions.Last);
        Assert.Equal((InstanceStatus.Waiting, 0L), (await StatusOf(started.Id), await VersionOf(started.Id)));

        var census = await Census();
        Assert.Equal(1, census.OpenByDefinition[new DefinitionVersion(Definitions.Appending.Name, Definitions.Appending.Version)]);

        // Another host may have the definition: that this one lacks it says nothing of the instance.
        Assert.Empty(census.ParkedByDefinition);

        if (!Backend.Capabilities.FiltersDefinitions)
            await ignorant.StopAsync(Token);
        await HostAsync(Definitions.Appending);

        var closed = await CloseOf(client, started.Id);
        Assert.Equal(InstanceStatus.Completed, closed.Status);

        // Where claims cannot leave a definition alone its signals are put off, and a newer one may overtake them.
        if (!Backend.Capabilities.FiltersDefinitions)
            return;
        Assert.Equal(6, closed.Version);
        Assert.Equal(Range(0, 5), await EntriesOf(client, started.Id));
    }

    [Fact]
    public async Task Deploy_that_cannot_read_the_state_leaves_timers_for_the_one_that_can()
    {
        var client = Client(Napping<Ledger>());
        var started = await client.StartAsync(Napping<Ledger>(), new Ledger { Note = "readable" }, cancellationToken: Token);

        var wrong = await HostAsync(Napping<Incompatible>());
        await Eventually(() => wrong.Counters.Deferred > 3, "it was met more than once");
        var parked = await RecordOf(started.Id);
        Assert.Equal((InstanceStatus.Waiting, 0L), (parked.Status, parked.Version));
        Assert.Contains(nameof(WorkflowStateException), parked.Error);
        var (definition, count) = Assert.Single((await Census()).ParkedByDefinition);
        Assert.Equal(
            (new DefinitionVersion(parked.Definition, parked.DefinitionVersion), new ParkedCount(1, started.Id)),
            (definition, count)
        );
        await wrong.StopAsync(Token);
        await HostAsync(Napping<Ledger>());

        var closed = await CloseOf(client, started.Id);
        Assert.Equal((InstanceStatus.Completed, null), (closed.Status, closed.Error));
        Assert.Empty((await Census()).ParkedByDefinition);
        Assert.Empty(await DeadLetters());
    }

    [Fact]
    public async Task Host_whose_definition_lost_a_step_puts_it_off_for_one_that_has_it()
    {
        var old = Workflow.Define<Ledger>("renamed").WaitFor<int>("old-name", (_, _) => { }).Build();
        var renamed = Workflow.Define<Ledger>("renamed").WaitFor<int>("new-name", (_, _) => { }).Build();
        var client = Client(old);
        var started = await client.StartAsync(old);
        await client.SendAsync(started.Id, "old-name", 1);

        var wrong = await HostAsync(renamed);
        await Eventually(() => wrong.Counters.Deferred > 0, "it is put off");
        Assert.Contains("has no step 'old-name'", (await RecordOf(started.Id)).Error);
        Assert.Equal(1, Assert.Single((await Census()).ParkedByDefinition).Value.Instances);
        await HostAsync(old);

        Assert.Equal((InstanceStatus.Completed, null), ((await CloseOf(client, started.Id)).Status, (await RecordOf(started.Id)).Error));
    }

    [Fact]
    public async Task Stopping_host_finishes_its_activities_and_reports_them()
    {
        var entered = new TaskCompletionSource(RunContinuationsAsynchronously);
        var mayEnd = new TaskCompletionSource(RunContinuationsAsynchronously);
        var definition = Workflow
            .Define<Ledger>("draining")
            .Activity("call", async (_, _) =>
            {
                entered.TrySetResult();
                await mayEnd.Task;
            })
            .Build();
        var claims = new CountsClaims(Connect());
        var (host, started) = await StartedAsync(claims, Quick with { DrainTimeout = FromSeconds(30) }, definition);
        await entered.Task.WaitAsync(Token);

        var stopping = host.StopAsync(Token);
        Assert.False(stopping.IsCompleted);

        // A claim that began before the stop may still take what becomes due, the report included.
        await Eventually(() => claims.UnderWay == 0, "the last claim of the stopping host has ended");
        mayEnd.SetResult();
        await stopping;
        Assert.Equal(1, (await Census()).SignalsDue);

        var heir = await HostAsync(definition);
        await Completes(heir.Client, started.Id);
        Assert.Equal(0, heir.Counters.ActivityAttempts);
    }

    [Fact]
    public async Task Host_stops_in_its_drain_time_though_an_activity_blocks_its_thread()
    {
        using var release = new ManualResetEventSlim();
        var entered = new TaskCompletionSource();
        var definition = Workflow
            .Define<Ledger>("blocking")
            .Activity("call", (_, context) =>
            {
                context.CancellationToken.Register(() => release.Wait(CancellationToken.None));
                entered.TrySetResult();
                release.Wait(CancellationToken.None);
                return Task.CompletedTask;
            })
            .Build();
        var host = await HostAsync(Quick with { DrainTimeout = FromMilliseconds(50) }, definition);
        await host.Client.StartAsync(definition);
        await entered.Task.WaitAsync(Token);

        try
        {
            await host.StopAsync(Token).InTime();
        }
        finally
        {
            release.Set();
        }

        Assert.Equal(1, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Signals_of_a_stopped_host_wait_for_the_next()
    {
        var first = await HostAsync(Definitions.Appending);
        var client = Client(Definitions.Appending);
        var started = await client.StartAsync(Definitions.Appending);
        await first.StopAsync(Token);
        await client.SendAsync(started.Id, "append", Definitions.Last);

        await HostAsync(Definitions.Appending);

        await Completes(client, started.Id);
    }

    [Fact]
    public async Task Hosts_that_come_and_go_under_load_lose_and_double_nothing()
    {
        var client = Client(Definitions.Appending);
        var started = await StartAsync(client, Definitions.Appending, 20);
        await HostAsync(Quick with { ClaimBatch = 10 }, Definitions.Appending);

        var publishing = Task.WhenAll(
            started.Select(async instance =>
            {
                for (var i = 0; i < 25; i++)
                    await client.SendAsync(instance.Id, "append", i);
                await client.SendAsync(instance.Id, "append", Definitions.Last);
            })
        );
        for (var i = 0; i < 8; i++)
        {
            var passing = await HostAsync(Quick with { ClaimBatch = 10, Workers = 4 }, Definitions.Appending);
            await Eventually(() => passing.Counters.Signals > 0 || publishing.IsCompleted, "the passing host has worked");
            await passing.StopAsync(Token);
        }

        await publishing;
        foreach (var instance in started)
        {
            Assert.Equal(26, (await CloseOf(client, instance.Id)).Version);
            Assert.Equal(Range(0, 25), await EntriesOf(client, instance.Id));
        }

        await Quiescence();
    }

    [Fact]
    public async Task Watch_is_told_of_a_close_whose_commit_had_no_answer()
    {
        var (host, started) = await StartedAsync(new LosesAnswersOfClaims(Connect()), Quick, Definitions.Approval);
        var watch = host.Client.WatchClose(started.Id);

        await host.Client.SendAsync(started.Id, "approve", "yes");

        Assert.Equal(InstanceStatus.Completed, (await watch.InTime()).Status);
        await CountedAsync(host);
        Assert.True(host.Counters.BackendFailures > 0, "No answer was lost: the test has shown nothing.");
    }

    [Fact]
    public async Task Hosts_on_one_backend_object_each_get_their_own_signals()
    {
        var other = Workflow.Define<Ledger>("other").WaitFor<int>("go", (ledger, number) => ledger.Entries.Add(number)).Build();
        var shared = Connect();

        // Where claims cannot leave a definition alone, a host that lacks it puts its signals off, longer each time.
        WorkflowDefinition[] both = [Definitions.Appending, other];
        await HostAsync(shared, Quick, Backend.Capabilities.FiltersDefinitions ? [Definitions.Appending] : both);
        await HostAsync(shared, Quick, Backend.Capabilities.FiltersDefinitions ? [other] : both);
        var client = Client(Definitions.Appending, other);
        var appending = await client.StartAsync(Definitions.Appending);

        for (var i = 0; i < 20; i++)
        {
            await client.SendAsync(appending.Id, "append", i);
            var started = await client.StartAsync(other);
            await client.SendAsync(started.Id, "go", i);
            await Completes(client, started.Id);
        }

        await client.SendAsync(appending.Id, "append", Definitions.Last);
        await Completes(client, appending.Id);
    }

    [Fact]
    public async Task Backend_that_is_disposed_while_its_listener_waits_ends_without_an_error()
    {
        for (var round = 0; round < 5; round++)
        {
            using var end = CancellationTokenSource.CreateLinkedTokenSource(Token);
            var backend = TestSchema.Connect();
            await backend.InitializeAsync(Token);

            // One hint has come, where there are any: then the listener is there.
            var heard = backend.WaitForWorkAsync(FromMinutes(5), end.Token);
            while (backend.Capabilities.CrossProcessHints && !heard.IsCompleted)
            {
                await Backend.NotifyWorkAsync(Token);
                await Task.WhenAny(heard, Task.Delay(20, Token));
            }

            var waiting = heard.IsCompleted ? backend.WaitForWorkAsync(FromMinutes(5), end.Token) : heard;
            await backend.DisposeAsync();
            await end.CancelAsync();

            // A wait that its backend leaves may end with an error; it ends.
            await Record.ExceptionAsync(() => waiting);
        }
    }

    [Fact]
    public async Task Wait_for_a_close_outlasts_reads_that_fail()
    {
        var reads = new FailsFirstReads(Connect(), times: 5);
        await using var client = new WorkflowClient(reads, new([Definitions.Approval]), Quick);
        var started = await client.StartAsync(Definitions.Approval);
        var wait = client.WaitForCloseAsync(started.Id, Token);
        await HostAsync(Definitions.Approval);

        await client.SendAsync(started.Id, "approve", "yes");

        Assert.Equal(InstanceStatus.Completed, (await wait.InTime()).Status);
        Assert.Equal(0, reads.Left);
    }

    [Fact]
    public async Task Host_that_starts_before_its_database_waits_for_it()
    {
        var late = new ComesLate(Connect(), times: 4);
        var log = new LogList<WorkflowHost>();
        var host = Own(new WorkflowHost(late, new([Definitions.Approval]), Quick, log));
        await host.StartAsync(Token);
        var started = await host.Client.StartAsync(Definitions.Approval);

        await host.Client.SendAsync(started.Id, "approve", "yes");

        await Completes(host.Client, started.Id);
        Assert.All(log.Lines.Take(4), line => Assert.Matches("next try in [0-9]+ ms: Nobody listens there.$", line));
        Assert.Equal(0, late.Left);
    }

    private static WorkflowDefinition<TState> Napping<TState>()
        where TState : class => Workflow.Define<TState>("napping").Delay("nap", (_, _) => Due.After(FromMilliseconds(1))).Build();

    private sealed class FailsFirstReads(IWorkflowBackend inner, int times) : BackendDecorator(inner)
    {
        private int _left = times;

        public int Left => Math.Max(0, Volatile.Read(ref _left));

        public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
            Answer(base.FindAsync, instanceId, cancellationToken);

        public override Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(IReadOnlyList<Guid> ids, CancellationToken cancellationToken) =>
            Answer(base.FindClosedAsync, ids, cancellationToken);

        private T Answer<TId, T>(Func<TId, CancellationToken, T> read, TId id, CancellationToken cancellationToken) =>
            Interlocked.Decrement(ref _left) < 0
                ? read(id, cancellationToken)
                : throw new WorkflowBackendException("The connection is lost.", isTransient: true);
    }

    private sealed class ComesLate(IWorkflowBackend inner, int times) : BackendDecorator(inner)
    {
        private int _left = times;

        public int Left => Volatile.Read(ref _left);

        public override Task InitializeAsync(CancellationToken cancellationToken)
        {
            if (Left == 0)
                return base.InitializeAsync(cancellationToken);
            Interlocked.Decrement(ref _left);
            throw new WorkflowBackendException("Nobody listens there.", isTransient: true);
        }
    }

    private sealed class Incompatible
    {
        public List<int> Note { get; set; } = [];
    }

    private sealed class CountsClaims(IWorkflowBackend inner) : DirectDecorator(inner)
    {
        private int _underWay;

        public override BackendCapabilities Capabilities => Inner.Capabilities;

        public int UnderWay => Volatile.Read(ref _underWay);

        public override async Task<ProcessOutcome> ProcessAsync(
            ClaimRequest request,
            DecideBatch decide,
            CancellationToken cancellationToken
        )
        {
            Interlocked.Increment(ref _underWay);
            try
            {
                return await base.ProcessAsync(request, decide, cancellationToken);
            }
            finally
            {
                Interlocked.Decrement(ref _underWay);
            }
        }
    }

    /// <summary>
    /// Fails the first claim and a third of the others, by chance: a pattern might meet the same step of each retry, whose delay
    /// then grows without end.
    /// </summary>
    private sealed class FailsNowAndThen(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        private readonly Random _random = new(7);
        private int _claims;

        protected override void Decided(IReadOnlyList<Decision> decisions)
        {
            lock (_random)
            {
                if (++_claims == 1 || _random.Next(3) == 0)
                    throw new InvalidTimeZoneException("Died after the decision and before the commit.");
            }
        }
    }
}

namespace Serdica.Perf.Compliance;

/// <summary>Signals that are decided in the commit that would otherwise store them, beside those that are stored.</summary>
public abstract class DirectCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Signal_is_decided_before_its_call_returns_and_is_never_stored()
    {
        var host = await HostAsync(Definitions.Appending);
        var started = await host.Client.StartAsync(Definitions.Appending, "ledger-1");

        await host.Client.SendAsync(started.Id, "append", 1);
        Assert.Equal(1, await VersionOf(started.Id));
        await host.Client.SignalByKeyAsync("ledger-1", "append", 2, new PublishOptions { DedupKey = "two" }, Token);
        Assert.Equal(2, await VersionOf(started.Id));
        Assert.Equal(
            PublishOutcome.Duplicate,
            await host.Client.SignalAsync(started.Id, "append", 2, new PublishOptions { DedupKey = "two" }, Token)
        );
        var watch = host.Client.WatchClose(started.Id);
        await host.Client.CancelAsync(started.Id, "enough", Token);

        Assert.Equal(InstanceStatus.Cancelled, (await watch.InTime()).Status);
        Assert.Equal((InstanceStatus.Cancelled, 3L), (await StatusOf(started.Id), await VersionOf(started.Id)));
        Assert.Equal([1, 2], await EntriesOf(host.Client, started.Id));
        Assert.Equal((3L, 3L), (host.Counters.Signals, host.Counters.DirectSignals));
    }

    [Fact]
    public async Task Client_without_a_host_and_a_host_that_is_told_not_to_store_their_signals()
    {
        var client = Client(Definitions.Appending);
        var started = await client.StartAsync(Definitions.Appending);
        await client.SendAsync(started.Id, "append", 1);
        Assert.Equal(1, (await Census()).SignalsDue);

        var host = await HostAsync(Quick with { DirectSignals = false }, Definitions.Appending);
        await host.Client.SendAsync(started.Id, "append", Definitions.Last);

        Assert.Equal(2, (await CloseOf(host.Client, started.Id)).Version);
        await Eventually(() => host.Counters.Signals == 2, "both signals are counted");
        Assert.Equal(0, host.Counters.DirectSignals);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Stored_signal_that_is_due_comes_first(bool isTimer)
    {
        var instance = Seam.Instance();
        var stored = Seam.Signal(instance.Id, "stored") with { Kind = isTimer ? SignalKind.Timer : SignalKind.External };
        await Backend.SubmitAsync(Seam.Start(instance, stored));
        var direct = Seam.Publish(instance.Id, "direct");

        await Connect().SubmitDirectAsync(direct);

        Assert.Equal((PublishOutcome.Accepted, false), (direct.Outcome, direct.IsDecided));
        Assert.Equal(["stored", "direct"], await Backend.TakeAsync());
        Assert.Equal(2, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Stored_signal_that_is_not_due_yet_holds_nothing_up_and_is_left_alone()
    {
        var instance = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id, "later", Due.After(FromMinutes(1))));
        var direct = Seam.Publish(instance.Id, "direct");
        var later = Seam.Publish(instance.Id, "later", Due.After(FromMinutes(1)));

        await Backend.SubmitDirectAsync(direct, later);

        Assert.Equal((true, false), (direct.IsDecided, later.IsDecided));
        Assert.Equal(1, await VersionOf(instance.Id));
        Assert.Equal(2, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Instance_that_a_worker_holds_is_not_waited_for()
    {
        var instance = await Backend.StartAsync();
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "claimed"));
        var direct = Seam.Publish(instance.Id, "direct");

        await Backend.ProcessAsync(new ClaimRequest(10), Seam.CountAfter(_ => Connect().SubmitDirectAsync(direct)), Token);

        Assert.False(direct.IsDecided);
        Assert.Equal(1, await VersionOf(instance.Id));
        Assert.Equal(["direct"], await Backend.TakeAsync());
        Assert.Equal(2, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Decisions_that_fail_leave_nothing_of_their_batch()
    {
        var instance = await Backend.StartAsync();
        var started = Seam.Start(Seam.Instance("key"));
        SignalSubmission Keyed() => new(Seam.Signal(instance.Id), dedupKey: "once");

        await Assert.ThrowsAsync<InvalidTimeZoneException>(() =>
            Backend.SubmitDirectAsync(
                _ => throw new InvalidTimeZoneException("Died deciding."),
                started,
                Keyed(),
                Seam.Publish(instance.Id)
            )
        );
        Assert.Null(await Backend.FindByKeyAsync("key", Token));
        Assert.Equal(0, await VersionOf(instance.Id));
        var again = Keyed();
        await Backend.SubmitDirectAsync(again);

        Assert.Equal((PublishOutcome.Accepted, true), (again.Outcome, again.IsDecided));
        Assert.Equal(1, await VersionOf(instance.Id));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Signals_that_are_left_undecided_are_stored_in_their_order_with_their_keys()
    {
        var decided = Seam.Instance();
        var left = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(decided), Seam.Start(left));
        SignalSubmission[] batch =
        [
            Seam.Publish(left.Id, "1"),
            Seam.Publish(decided.Id),
            new(Seam.Signal(left.Id, "2"), dedupKey: "z"),
            Seam.Publish(left.Id, "3"),
            new(Seam.Signal(left.Id, "4"), dedupKey: "a"),
        ];

        await Backend.SubmitDirectAsync(
            claimed => [.. claimed.Instances.Select(instance => instance.Instance.Id == left.Id ? new Decision() : Seam.Count(instance))],
            batch
        );

        Assert.Equal([false, true, false, false, false], batch.Select(item => item.IsDecided));
        Assert.All(batch, item => Assert.Equal(PublishOutcome.Accepted, item.Outcome));
        Assert.Equal(["1", "2", "3", "4"], await Backend.TakeAsync());
        var repeated = new SignalSubmission(Seam.Signal(left.Id), dedupKey: "z");
        await Backend.SubmitDirectAsync(repeated);
        Assert.Equal(PublishOutcome.Duplicate, repeated.Outcome);
    }

    [Fact]
    public async Task Continuation_keeps_the_key_of_the_signal_that_began_it()
    {
        var instance = Seam.Instance();
        var next = Seam.Instance() with { Id = SortableId.NextBeside(DateTimeOffset.UtcNow, instance.Id) };
        await Backend.SubmitAsync(Seam.Start(instance));
        var direct = new SignalSubmission(Seam.Signal(instance.Id), dedupKey: "once");

        await Backend.SubmitDirectAsync(
            batch =>
            {
                var decision = Seam.Count(batch.Instances[0]);
                decision.Instance = decision.Instance! with { Status = InstanceStatus.Completed };
                decision.Started = [next];
                decision.Continued = [new Continuation(instance.Id, next.Id)];
                return [decision];
            },
            direct
        );
        var again = new SignalSubmission(Seam.Signal(next.Id), dedupKey: "once");
        await Backend.SubmitDirectAsync(again);

        Assert.True(direct.IsDecided);
        Assert.Equal((PublishOutcome.Duplicate, false), (again.Outcome, again.IsDecided));
    }

    [Fact]
    public async Task Outcomes_of_one_batch_belong_to_their_items()
    {
        var open = Seam.Instance();
        var closed = Seam.Instance("closed", waits: WaitKinds.None, status: InstanceStatus.Cancelled);
        await Backend.SubmitAsync(Seam.Start(open), Seam.Start(closed));
        var taken = Seam.Start(Seam.Instance("closed"));
        SignalSubmission[] batch =
        [
            Seam.Publish(closed.Id),
            Seam.Publish(open.Id),
            Seam.Publish(Guid.CreateVersion7()),
            new(Seam.Signal(open.Id), dedupKey: "k"),
            new(Seam.Signal(open.Id), dedupKey: "k"),
            new(Seam.Signal(Guid.Empty), businessKey: "nobody"),
            new(Seam.Signal(closed.Id), dedupKey: "k"),
            Seam.Publish(open.Id),
        ];

        await Backend.SubmitDirectAsync([taken, .. batch]);

        Assert.Equal(closed.Id, taken.Existing?.Id);
        Assert.Equal(
            [
                PublishOutcome.InstanceClosed,
                PublishOutcome.Accepted,
                PublishOutcome.UnknownInstance,
                PublishOutcome.Accepted,
                PublishOutcome.Duplicate,
                PublishOutcome.UnknownInstance,
                PublishOutcome.InstanceClosed,
                PublishOutcome.Accepted,
            ],
            batch.Select(item => item.Outcome)
        );
        Assert.Equal([false, true, false, true, false, false, false, true], batch.Select(item => item.IsDecided));
        Assert.Equal(3, await VersionOf(open.Id));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Sixteen_racing_publishers_of_one_dedup_key_are_accepted_once_whichever_way_they_take()
    {
        var instance = await Backend.StartAsync();
        IWorkflowBackend[] backends = [Backend, Connect()];

        var submissions = Range(0, 16).Select(_ => new SignalSubmission(Seam.Signal(instance.Id), dedupKey: "once")).ToArray();
        await Task.WhenAll(
            submissions.Select(
                (item, i) =>
                    Task.Run(() => i % 4 < 2 ? backends[i % 2].SubmitDirectAsync(item) : backends[i % 2].SubmitAsync([item], Token), Token)
            )
        );

        Assert.Single(submissions, item => item.Outcome == PublishOutcome.Accepted);
        Assert.Equal(15, submissions.Count(item => item.Outcome == PublishOutcome.Duplicate));
        var due = (await Census()).SignalsDue;
        Assert.Equal(1, due + await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Instance_that_many_callers_signal_in_both_ways_keeps_each_callers_order_and_starves_nobody()
    {
        const int Each = 60;
        var one = await HostAsync(Quick with { ClaimBatch = 7 }, Definitions.Appending);
        var two = await HostAsync(Quick with { ClaimBatch = 7 }, Definitions.Appending);
        var outside = Client(Definitions.Appending);
        var started = await one.Client.StartAsync(Definitions.Appending);
        WorkflowClient[] clients = [one.Client, one.Client, two.Client, two.Client, outside, outside];

        await Task.WhenAll(
            clients.Select(
                (client, caller) =>
                    Task.Run(
                        async () =>
                        {
                            for (var i = 0; i < Each; i++)
                                await client.SendAsync(started.Id, "append", (caller * 1_000) + i);
                        },
                        Token
                    )
            )
        );
        await one.Client.SendAsync(started.Id, "append", Definitions.Last);

        Assert.Equal((clients.Length * Each) + 1, (await CloseOf(one.Client, started.Id)).Version);
        var entries = await EntriesOf(one.Client, started.Id);
        Assert.Equal(clients.Length * Each, entries.Count);
        for (var caller = 0; caller < clients.Length; caller++)
            Assert.Equal(Range(0, Each), entries.Where(entry => entry / 1_000 == caller).Select(entry => entry % 1_000));
        await Quiescence();
    }

    [Fact]
    public async Task Stored_signal_is_handled_while_callers_go_on_signalling_its_instance()
    {
        const int Callers = 4;
        var counting = Workflow
            .Define<Ledger>("counting")
            .WaitFor<int>("count", (ledger, caller, _) =>
            {
                ledger.Entries[caller]++;
                return Next.Stay;
            })
            .Build();
        var host = await HostAsync(counting);
        var outside = Client(counting);
        var started = await host.Client.StartAsync(counting, new Ledger { Entries = [0, 0, 0, 0, 0, 0] }, cancellationToken: Token);

        // Where nothing is held, a signal that is stored because of another one makes the next one be stored, and so on: one comes alone.
        await host.Client.SendAsync(started.Id, "count", Callers + 1);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Token);
        async Task<int> CountOf(int caller) => (await StateOf(outside, started.Id)).Entries[caller];
        async Task SignalOnAndOnAsync(int caller)
        {
            for (var sent = 1; !end.IsCancellationRequested; sent++)
            {
                await host.Client.SendAsync(started.Id, "count", caller);
                while (await CountOf(caller) < sent)
                    await Task.Delay(1, Token);
            }
        }

        var signalling = Range(0, Callers).Select(caller => Task.Run(() => SignalOnAndOnAsync(caller), Token)).ToArray();
        for (var i = 1; i <= 5; i++)
        {
            await outside.SendAsync(started.Id, "count", Callers);
            await Eventually(async () => await CountOf(Callers) == i, "the stored signal is handled");
        }

        Assert.DoesNotContain(signalling, task => task.IsCompleted);
        await end.CancelAsync();
        await Task.WhenAll(signalling);
        Assert.True(host.Counters.DirectSignals > 0, "No signal was decided directly: the test has shown nothing.");
    }

    [Fact]
    public async Task Handler_that_throws_is_undone_alone_and_tried_again()
    {
        var failures = 0;
        var definition = Workflow
            .Define<Ledger>("failing-once")
            .WaitFor<int>("go", (ledger, number) =>
            {
                ledger.Entries.Add(number);
                if (number == 3 && Interlocked.Increment(ref failures) == 1)
                    throw new InvalidTimeZoneException("Not today.");
            })
            .Build();
        var host = await HostAsync(definition);
        var started = await StartAsync(host.Client, definition, 8);

        var outcomes = await Task.WhenAll(started.Select((instance, i) => host.Client.SendAsync(instance.Id, "go", i)));

        Assert.All(outcomes, outcome => Assert.Equal(PublishOutcome.Accepted, outcome));
        for (var i = 0; i < started.Length; i++)
        {
            await Completes(host.Client, started[i].Id);
            Assert.Equal([i], await EntriesOf(host.Client, started[i].Id));
        }

        await Quiescence();
        await CountedAsync(host);
        Assert.Equal(1, host.Counters.HandlerFailures);
    }

    [Fact]
    public async Task Handler_that_does_not_end_is_left_to_the_workers_and_its_batch_is_stored()
    {
        using var release = new ManualResetEventSlim();
        var hanging = Workflow.Define<Ledger>("hanging").WaitFor<int>("go", (_, _) => release.Wait(CancellationToken.None)).Build();
        var options = Quick with { DecideTimeout = FromMilliseconds(500) };
        var host = await HostAsync(options, hanging, Definitions.Appending);
        var culprit = await host.Client.StartAsync(hanging);
        var bystanders = await StartAsync(host.Client, Definitions.Appending, 10);
        try
        {
            var calls = bystanders
                .Select(bystander => host.Client.SendAsync(bystander.Id, "append", Definitions.Last))
                .Prepend(host.Client.SendAsync(culprit.Id, "go", 1));
            Assert.All(await Task.WhenAll(calls), outcome => Assert.Equal(PublishOutcome.Accepted, outcome));

            foreach (var bystander in bystanders)
                await Completes(host.Client, bystander.Id);
            await Eventually(async () => (await DeadLetters()).Count == 1, "the signal is given up");
            var letter = Assert.Single(await DeadLetters());
            Assert.Equal((culprit.Id, DeadLetterReason.AttemptsExhausted), (letter.Signal.InstanceId, letter.Reason));
            Assert.Equal((0, 0L), (await VersionOf(culprit.Id), host.Counters.BackendFailures));
        }
        finally
        {
            release.Set();
        }
    }

    [Fact]
    public async Task Instance_that_cannot_be_written_fails_no_caller_and_its_signal_is_given_up_by_the_workers()
    {
        var client = Client(Definitions.Appending);
        var culprit = await client.StartAsync(Definitions.Appending);
        var host = await HostAsync(new RefusesDecisions(Connect(), record => record.Id == culprit.Id), Quick, Definitions.Appending);
        var bystanders = await StartAsync(host.Client, Definitions.Appending, 10);

        var outcomes = await Task.WhenAll(
            bystanders
                .Append(culprit)
                .Select(instance => host.Client.SendAsync(instance.Id, "append", Definitions.Last))
        );

        Assert.All(outcomes, outcome => Assert.Equal(PublishOutcome.Accepted, outcome));
        foreach (var bystander in bystanders)
            await Completes(host.Client, bystander.Id);
        await IsGivenUpAsync(host);
        var letter = Assert.Single(await DeadLetters());
        Assert.Equal((culprit.Id, DeadLetterReason.Refused), (letter.Signal.InstanceId, letter.Reason));
    }

    [Fact]
    public async Task Watch_is_told_of_a_close_whose_commit_had_no_answer_and_the_repeat_is_a_duplicate()
    {
        var (host, started) = await StartedAsync(new LosesAnswersOfDirectCommits(Connect()), Quick, Definitions.Approval);
        var once = new PublishOptions { DedupKey = "payment-1" };
        var watch = host.Client.WatchClose(started.Id);

        var error = await BackendFails(() => host.Client.SignalAsync(started.Id, "approve", "yes", once, Token));

        Assert.True(error.IsTransient);
        Assert.Equal(InstanceStatus.Completed, (await watch.InTime()).Status);
        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(started.Id, "approve", "yes", once, Token));
        Assert.Equal(1, await VersionOf(started.Id));
    }

    /// <summary>The second lease, which may have been written, shows that the first would have been looked for by then.</summary>
    [Fact]
    public async Task Lease_that_was_certainly_not_written_is_not_looked_for()
    {
        var backend = new FailsDirectTurns(Connect());
        var leasing = Workflow.Define<Ledger>("leasing").WaitFor<int>("go", (_, _) => { }).Activity("work", (_, _) => Task.CompletedTask);
        var host = await HostAsync(backend, Quick, leasing.Build());
        var unwritten = await FailAsync(nothingWritten: true);
        var unknown = await FailAsync(nothingWritten: false);

        await HangGuard.UntilAsync(() => backend.Looked.Contains(unknown), () => "the lease without an answer is not looked for");

        Assert.DoesNotContain(unwritten, backend.Looked);

        async Task<Guid> FailAsync(bool nothingWritten)
        {
            var started = await host.Client.StartAsync("leasing", new Ledger(), cancellationToken: Token);
            backend.NothingWritten = nothingWritten;
            await BackendFails(() => host.Client.SendAsync(started.Id, "go", 1));
            return started.Id;
        }
    }

    [Fact]
    public async Task Signal_of_a_definition_that_the_host_lacks_is_stored_for_one_that_has_it()
    {
        var ignorant = await HostAsync(Definitions.Approval);
        var client = Client(Definitions.Appending);
        var started = await client.StartAsync(Definitions.Appending);

        for (var i = 0; i < 5; i++)
            Assert.Equal(PublishOutcome.Accepted, await ignorant.Client.SendAsync(started.Id, "append", i));
        Assert.Equal(0, await VersionOf(started.Id));
        var able = await HostAsync(Definitions.Appending);
        await able.Client.SendAsync(started.Id, "append", Definitions.Last);

        var closed = await CloseOf(able.Client, started.Id);
        Assert.Equal(InstanceStatus.Completed, closed.Status);

        // Where claims cannot leave a definition alone its signals are put off, and a newer one may overtake them.
        if (!Backend.Capabilities.FiltersDefinitions)
            return;
        Assert.Equal(6, closed.Version);
        Assert.Equal(Range(0, 5), await EntriesOf(able.Client, started.Id));
    }

    [Fact]
    public async Task Results_of_activities_are_decided_directly_and_the_next_one_runs_at_once()
    {
        var definition = Workflow
            .Define<Ledger>("chain")
            .WaitFor<int>("go", (_, _) => { })
            .Activity("first", (_, _) => Task.FromResult(1), (ledger, number) => ledger.Entries.Add(number))
            .Activity("second", (_, _) => Task.FromResult(2), (ledger, number) => ledger.Entries.Add(number))
            .Build();
        var (host, started) = await StartedAsync(definition);

        await host.Client.SendAsync(started.Id, "go", 0);

        Assert.Equal(3, (await CloseOf(host.Client, started.Id)).Version);
        Assert.Equal([1, 2], await EntriesOf(host.Client, started.Id));
        await Quiescence();
        await CountedAsync(host);
        Assert.Equal((3L, 3L, 2L), (host.Counters.Signals, host.Counters.DirectSignals, host.Counters.ActivityAttempts));
    }

    [Fact]
    public async Task Host_without_a_place_leaves_its_own_activities_behind_those_that_are_stored()
    {
        var mayEnd = new TaskCompletionSource();
        var order = new List<int>();
        var definition = Workflow
            .Define<Ledger>("crowding")
            .WaitFor<int>("go", (ledger, number) => ledger.Entries.Add(number))
            .Activity("work", async (ledger, _) =>
            {
                lock (order)
                    order.Add(ledger.Entries[0]);
                await mayEnd.Task;
            })
            .Build();
        var host = await HostAsync(Quick with { Workers = 1, MaxActivities = 1 }, definition);
        var started = new List<Guid>();
        for (var i = 0; i < 6; i++)
            started.Add((await host.Client.StartAsync(definition)).Id);

        // The first takes the only place; each of the others is decided and stores its activity.
        for (var i = 0; i < 5; i++)
            await host.Client.SendAsync(started[i], "go", i);
        Assert.Equal(1, host.Counters.ActivityAttempts);
        mayEnd.SetResult();
        await host.Client.SendAsync(started[5], "go", 5);

        foreach (var id in started)
            await Completes(host.Client, id);

        // Parts of a store take turns; there is no order of signals over all of them.
        Assert.Equal(Range(0, 6), Backend.Capabilities.Parts == 1 ? order : [order[0], .. order.Skip(1).Order()]);
        await Quiescence();
    }

    [Fact]
    public async Task First_activity_is_leased_in_the_commit_of_the_start()
    {
        var definition = Working(static () => Task.CompletedTask);
        var host = await HostWithoutClaimsAsync(Quick, definition);

        var started = await host.Client.StartAsync(definition);

        Assert.Equal(1, (await CloseOf(host.Client, started.Id)).Version);
        await CountedAsync(host);
        Assert.Equal((1L, 1L), (host.Counters.DirectSignals, host.Counters.ActivityAttempts));
        await Quiescence();
    }

    [Fact]
    public async Task Start_that_finds_its_business_key_taken_runs_nothing_and_gives_its_place_back()
    {
        var definition = Working(static () => Task.CompletedTask);
        var host = await HostWithoutClaimsAsync(Quick with { MaxActivities = 2 }, definition);
        var first = await host.Client.StartAsync(definition, "job-1");
        await CloseOf(host.Client, first.Id);

        // The first one may not have given its place back yet.
        var second = await host.Client.StartAsync(definition, "job-1");
        var third = await host.Client.StartAsync(definition, "job-1");
        var next = await host.Client.StartAsync(definition, "job-2");

        Assert.Equal([(first.Id, false), (first.Id, false)], [(second.Id, second.IsNew), (third.Id, third.IsNew)]);
        await CloseOf(host.Client, next.Id);
        await CountedAsync(host);
        Assert.Equal(2, host.Counters.ActivityAttempts);
    }

    [Fact]
    public async Task Start_that_fails_after_it_took_a_place_gives_it_back()
    {
        var definition = Working(static () => Task.CompletedTask);
        var options = Quick with { MaxActivities = 1, MaxStateBytes = 1_000 };
        var host = await HostWithoutClaimsAsync(options, definition);

        await Assert.ThrowsAsync<WorkflowStateException>(() =>
            host.Client.StartAsync(definition, new Ledger { Note = new string('x', 2_000) }, cancellationToken: Token)
        );
        var started = await host.Client.StartAsync(definition);

        await Completes(host.Client, started.Id);
    }

    [Fact]
    public async Task Activity_of_a_start_without_an_answer_runs_once()
    {
        var runs = 0;
        var definition = Working(() =>
        {
            Interlocked.Increment(ref runs);
            return Task.CompletedTask;
        });
        var host = await HostAsync(new LosesAnswerToStart(Connect()), Quick with { ActivityLease = FromMinutes(10) }, definition);

        var error = await BackendFails(() => host.Client.StartAsync(definition, "job-1"));
        var again = await host.Client.StartAsync(definition, "job-1");

        Assert.False(error.NothingWritten);
        Assert.False(again.IsNew);
        await Completes(host.Client, again.Id);
        Assert.Equal(1, runs);
        await Quiescence();
    }

    [Fact]
    public async Task Starts_for_which_a_host_has_no_place_store_their_activities()
    {
        var mayEnd = new TaskCompletionSource();
        var definition = Working(() => mayEnd.Task);
        var host = await HostAsync(Quick with { Workers = 1, MaxActivities = 1 }, definition);
        var started = new List<Guid>();
        for (var i = 0; i < 6; i++)
            started.Add((await host.Client.StartAsync(definition)).Id);
        Assert.Equal(1, host.Counters.ActivityAttempts);

        mayEnd.SetResult();

        foreach (var id in started)
            await Completes(host.Client, id);
        await CountedAsync(host);
        Assert.Equal(6, host.Counters.ActivityAttempts);
        await Quiescence();
    }

    private static WorkflowDefinition<Ledger> Working(Func<Task> work) =>
        Workflow.Define<Ledger>("working").Activity("work", (_, _) => work()).Build();

    /// <summary>A host whose workers find nothing: what runs was leased by a client.</summary>
    private async Task<WorkflowHost> HostWithoutClaimsAsync(WorkflowOptions options, WorkflowDefinition definition)
    {
        var backend = new ClaimsNothing(Connect());
        var host = await HostAsync(backend, options with { Workers = 1 }, definition);
        await backend.Looking.InTime();
        return host;
    }

    /// <summary>
    /// A claim does not return. A worker that looked again while a start holds the last place would leave the next activities to the
    /// database, from which nobody claims them.
    /// </summary>
    private sealed class ClaimsNothing(IWorkflowBackend inner) : DirectDecorator(inner)
    {
        private readonly TaskCompletionSource _looking = new(RunContinuationsAsynchronously);

        public Task Looking => _looking.Task;

        public override async Task<ProcessOutcome> ProcessAsync(
            ClaimRequest request,
            DecideBatch decide,
            CancellationToken cancellationToken
        )
        {
            _looking.TrySetResult();
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            return new ProcessOutcome(0);
        }
    }

    /// <summary>Fails after the handlers, before the commit.</summary>
    private sealed class FailsDirectTurns(IWorkflowBackend inner) : DirectDecorator(inner)
    {
        public bool NothingWritten { get; set; }

        public ConcurrentBag<Guid> Looked { get; } = [];

        public override Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken) =>
            base.SubmitAsync(batch, direct with { Decide = FailAfter(direct.Decide) }, cancellationToken);

        public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
        {
            Looked.Add(instanceId);
            return base.FindAsync(instanceId, cancellationToken);
        }

        private DecideBatch FailAfter(DecideBatch decide) =>
            async batch =>
            {
                await decide(batch);
                throw new WorkflowBackendException("The connection is lost.", isTransient: true) { NothingWritten = NothingWritten };
            };
    }

    private sealed class LosesAnswerToStart(IWorkflowBackend inner) : DirectDecorator(inner)
    {
        private int _lost;

        public override async Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
        {
            await base.SubmitAsync(batch, cancellationToken);
            if (Interlocked.Increment(ref _lost) == 1)
                throw new WorkflowBackendException("The connection is lost.", isTransient: true);
        }
    }
}

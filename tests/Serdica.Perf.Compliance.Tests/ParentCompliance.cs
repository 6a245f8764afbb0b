namespace Serdica.Perf.Compliance;

/// <summary>Parents that are decided in the commit that closes their children, beside those whose reports are stored.</summary>
public abstract class ParentCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Reports_of_a_batch_are_one_turn_of_each_parent_in_the_order_of_the_decisions(bool byClaim)
    {
        InstanceRecord[] parents = [Seam.Instance(waits: WaitKinds.Child), Seam.Instance(waits: WaitKinds.Child)];
        var children = Range(0, 6).Select(i => Seam.ChildOf(parents[i % 2])).ToArray();
        await Backend.SubmitAsync([.. parents.Concat(children).Select(instance => Seam.Start(instance))], Token);
        var hand = new ByHand();

        var signals = await CloseAsync(hand, byClaim, children);

        Assert.Equal(children.Length, signals);
        foreach (var parent in parents)
        {
            var closed = hand.Closed.Where(child => child.ParentId == parent.Id).Select(child => $"{child.Id}");
            Assert.Equal(closed, hand.Asked[parent.Id]);
            Assert.Equal(3, await VersionOf(parent.Id));
        }

        var census = await Census();
        Assert.Equal((6L, 0L), (census.Count(InstanceStatus.Completed), census.SignalsDue));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Report_to_a_parent_that_somebody_holds_is_stored(bool byClaim)
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        await Backend.SubmitAsync(Seam.Publish(parent.Id, "claimed"));
        var hand = new ByHand();

        await Backend.ProcessAsync(new ClaimRequest(10), Seam.CountAfter(_ => CloseAsync(hand, byClaim, child)), Token);

        Assert.Empty(hand.Asked);
        Assert.Equal(InstanceStatus.Completed, await StatusOf(child.Id));
        Assert.Equal([$"{child.Id}"], await Backend.TakeAsync());
        Assert.Equal(2, await VersionOf(parent.Id));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Report_comes_after_a_stored_signal_of_its_parent_that_is_due(bool byClaim)
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        var hand = new ByHand();
        if (byClaim)
            await Backend.SubmitAsync(Seam.Publish(child.Id));
        await Backend.SubmitAsync(Seam.Publish(parent.Id, "stored"));

        // A claim of one signal takes the one of the child, which is older.
        await (byClaim ? hand.ProcessAsync(Backend, 1) : hand.SubmitAsync(Backend, Seam.Publish(child.Id)));

        Assert.Empty(hand.Asked);
        Assert.Equal(InstanceStatus.Completed, await StatusOf(child.Id));
        Assert.Equal(["stored", $"{child.Id}"], await Backend.TakeAsync());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Report_to_a_parent_of_the_same_batch_is_stored(bool byClaim)
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        var hand = new ByHand();

        await CloseAsync(hand, byClaim, parent, child);

        Assert.Empty(hand.Asked);
        Assert.Equal((1L, 1L), (await VersionOf(parent.Id), await VersionOf(child.Id)));
        Assert.Equal([$"{child.Id}"], await Backend.TakeAsync());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Report_that_is_left_undecided_is_stored(bool byClaim)
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        var hand = new ByHand { Leaves = true };

        await CloseAsync(hand, byClaim, child);

        Assert.Single(hand.Asked);
        Assert.Equal((0L, 1L), (await VersionOf(parent.Id), await VersionOf(child.Id)));
        Assert.Equal([$"{child.Id}"], await Backend.TakeAsync());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Parent_that_has_closed_or_is_gone_is_not_decided(bool byClaim)
    {
        var closed = Seam.Closed(InstanceStatus.Cancelled);
        var child = Seam.ChildOf(closed);
        var orphan = Seam.ChildOf(Seam.Instance());
        await Backend.SubmitAsync(Seam.Start(closed), Seam.Start(child), Seam.Start(orphan));
        var hand = new ByHand();

        await CloseAsync(hand, byClaim, child, orphan);

        Assert.Empty(hand.Asked);
        Assert.Equal(2, (await Census()).Count(InstanceStatus.Completed));
        Assert.Equal([$"{child.Id}"], await Backend.TakeAsync());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Parents_whose_decisions_fail_leave_nothing_of_their_batch(bool byClaim)
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        var hand = new ByHand { Error = new InvalidTimeZoneException("Died deciding.") };

        await Assert.ThrowsAsync<InvalidTimeZoneException>(() => CloseAsync(hand, byClaim, child));
        Assert.Equal((0L, 0L), (await VersionOf(parent.Id), await VersionOf(child.Id)));
        var again = new ByHand();
        await (byClaim ? again.ProcessAsync(Backend, 10) : again.SubmitAsync(Backend, Seam.Publish(child.Id)));

        Assert.Equal((1L, 1L), (await VersionOf(parent.Id), await VersionOf(child.Id)));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Parent_that_is_being_decided_is_passed_over_by_others(bool byClaim)
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        var other = Seam.Publish(parent.Id, "other");
        List<string> claimed = ["none asked"];
        var hand = new ByHand
        {
            Deciding = async () =>
            {
                var elsewhere = Connect();
                await elsewhere.SubmitDirectAsync(other);
                claimed = await elsewhere.TakeAsync();
            },
        };

        await CloseAsync(hand, byClaim, child);

        Assert.Empty(claimed);
        Assert.False(other.IsDecided);
        Assert.Equal(1, await VersionOf(parent.Id));
        Assert.Equal(["other"], await Backend.TakeAsync());
    }

    /// <summary>A transaction that waited for a parent would wait for one that waits for it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Instances_that_are_each_others_parents_do_not_wait_for_each_other(bool byClaim)
    {
        var one = Seam.Instance();
        var other = Seam.ChildOf(one);
        one = one with { ParentId = other.Id };
        await Backend.SubmitAsync(Seam.Start(one), Seam.Start(other));
        var second = new ByHand();
        var first = new ByHand { Closing = () => CloseAsync(second, byClaim, other) };

        await CloseAsync(first, byClaim, one);

        Assert.Empty(second.Asked);
        Assert.Empty(first.Asked);
        Assert.Equal(2, (await Census()).Count(InstanceStatus.Completed));
    }

    [Fact]
    public async Task Parent_closes_in_the_commit_that_closes_its_child()
    {
        var family = new Family();
        var (host, started) = await StartedAsync(family.Parent, family.Child);
        var watch = host.Client.WatchClose(started.Id);

        await host.Client.SendAsync(Assert.Single(family.Children), "go", 7);

        Assert.Equal((InstanceStatus.Completed, 1L), (await StatusOf(started.Id), await VersionOf(started.Id)));
        Assert.Equal(InstanceStatus.Completed, (await watch.InTime()).Status);
        Assert.Equal([7], await EntriesOf(host.Client, started.Id));
        await CountedAsync(host);
        Assert.Equal((2L, 2L, 1L), (host.Counters.Signals, host.Counters.DirectSignals, host.Counters.Batches));
        await Quiescence();
    }

    [Theory]
    [InlineData(true, 1L)]
    [InlineData(false, 0L)]
    public async Task Worker_that_closes_a_child_decides_its_parent_unless_it_is_told_not_to(bool direct, long reports)
    {
        var child = Workflow.Define<Ledger>("child").Delay("rest", FromMilliseconds(5)).Build();
        var parent = Workflow.Define<Ledger>("parent").Child("ask", child, _ => new Ledger(), (_, _) => { }).Build();
        var (host, started) = await StartedAsync(Quick with { DirectSignals = direct }, parent, child);

        Assert.Equal(1, (await CloseOf(host.Client, started.Id)).Version);
        await Quiescence();
        await CountedAsync(host);
        Assert.Equal((2L, reports, 2L - reports), (host.Counters.Signals, host.Counters.DirectSignals, host.Counters.Batches));
    }

    [Fact]
    public async Task Reports_go_up_one_level_in_one_commit_and_the_next_one_is_stored()
    {
        var family = new Family();
        var top = Workflow.Define<Ledger>("top").Child("ask", family.Parent, _ => new Ledger(), (_, _) => { }).Build();
        var (host, started) = await StartedAsync(top, family.Parent, family.Child);

        await host.Client.SendAsync(Assert.Single(family.Children), "go", 7);

        await Completes(host.Client, started.Id);
        await Quiescence();
        await CountedAsync(host);
        Assert.Equal((3L, 2L), (host.Counters.Signals, host.Counters.DirectSignals));
    }

    [Fact]
    public async Task Parent_whose_handler_throws_is_tried_again_and_its_child_has_closed()
    {
        var failures = 0;
        var family = new Family(() =>
        {
            if (Interlocked.Increment(ref failures) == 1)
                throw new InvalidTimeZoneException("Not today.");
        });
        var (host, started) = await StartedAsync(family.Parent, family.Child);
        var child = Assert.Single(family.Children);

        Assert.Equal(PublishOutcome.Accepted, await host.Client.SendAsync(child, "go", 7));

        Assert.Equal(InstanceStatus.Completed, await StatusOf(child));
        await Completes(host.Client, started.Id);
        Assert.Equal([7], await EntriesOf(host.Client, started.Id));
        await Quiescence();
        await CountedAsync(host);
        Assert.Equal(1, host.Counters.HandlerFailures);
    }

    [Fact]
    public async Task Parent_whose_handler_does_not_end_is_left_to_the_workers_and_its_child_closes()
    {
        using var release = new ManualResetEventSlim();
        var family = new Family(() => release.Wait(CancellationToken.None));
        var options = Quick with { DecideTimeout = FromMilliseconds(500) };
        var (host, started) = await StartedAsync(options, family.Parent, family.Child);
        var child = Assert.Single(family.Children);
        try
        {
            Assert.Equal(PublishOutcome.Accepted, await host.Client.SendAsync(child, "go", 7));

            await Completes(host.Client, child);
            var record = await CloseOf(host.Client, started.Id);
            Assert.Equal(InstanceStatus.Faulted, record.Status);
            Assert.Contains(nameof(WorkflowOptions.DecideTimeout), record.Error);
        }
        finally
        {
            release.Set();
        }
    }

    [Fact]
    public async Task Parent_that_cannot_be_written_fails_no_caller_and_its_child_closes()
    {
        var family = new Family();
        Guid? parent = null;

        // Until the parent is given up.
        var backend = new RefusesDecisions(Connect(), record => record.Id == parent && record.Status != InstanceStatus.Faulted);
        var (host, started) = await StartedAsync(backend, Quick, family.Parent, family.Child, Definitions.Appending);
        parent = started.Id;
        var child = Assert.Single(family.Children);

        Assert.Equal(PublishOutcome.Accepted, await host.Client.SendAsync(child, "go", 7));

        await Completes(host.Client, child);

        // It is given up only where others can be written after its first failure, and the child may have closed before that.
        var closing = CloseOf(host.Client, started.Id);
        while (!closing.IsCompleted)
        {
            var other = await host.Client.StartAsync(Definitions.Appending);
            await host.Client.SendAsync(other.Id, "append", Definitions.Last);
            await Completes(host.Client, other.Id);
        }

        var record = await closing;
        Assert.Equal((InstanceStatus.Faulted, 1L), (record.Status, record.Version));
        Assert.Contains("The disk does not like it.", record.Error);
    }

    [Fact]
    public async Task Report_to_a_definition_that_the_host_lacks_is_stored_for_one_that_has_it()
    {
        var family = new Family();
        var client = Client(family.Parent, family.Child);
        var started = await client.StartAsync(family.Parent);
        var ignorant = await HostAsync(family.Child);
        var child = Assert.Single(family.Children);

        await ignorant.Client.SendAsync(child, "go", 7);

        Assert.Equal(InstanceStatus.Completed, await StatusOf(child));
        Assert.Equal((InstanceStatus.Waiting, 0L), (await StatusOf(started.Id), await VersionOf(started.Id)));
        await HostAsync(family.Parent, family.Child);
        await Completes(client, started.Id);
        await CountedAsync(ignorant);
        Assert.Equal(1, ignorant.Counters.DirectSignals);
    }

    [Fact]
    public async Task Activity_that_a_parent_reaches_is_leased_in_the_commit_that_closes_its_child_and_runs_once_without_an_answer()
    {
        var runs = 0;
        var family = new Family(work: () => Interlocked.Increment(ref runs));
        var options = Quick with { ActivityLease = FromMinutes(10) };
        var (host, started) = await StartedAsync(new LosesAnswersOfDirectCommits(Connect()), options, family.Parent, family.Child);
        var watch = host.Client.WatchClose(started.Id);
        var child = Assert.Single(family.Children);
        var once = new PublishOptions { DedupKey = "once" };

        await BackendFails(() => host.Client.SignalAsync(child, "go", 7, once, Token));

        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(child, "go", 7, once, Token));
        Assert.Equal(InstanceStatus.Completed, (await watch.InTime()).Status);
        Assert.Equal((1, 2L), (runs, await VersionOf(started.Id)));
        await Quiescence();
    }

    [Fact]
    public async Task Children_that_close_at_once_by_all_ways_report_once_each()
    {
        const int Parents = 4;
        const int Each = 25;
        var children = new ConcurrentQueue<Guid>();
        var child = Family.ChildOf(children);
        var parent = Workflow
            .Define<Ledger>("parent")
            .Children(
                "ask",
                child,
                ledger => ledger.Entries.Select(i => new Ledger { Entries = [i] }),
                (ledger, results, _) =>
                {
                    ledger.Entries = [.. results.Select(result => result.State.Entries[^1])];
                    return Next.Step;
                }
            )
            .Build();
        var one = await HostAsync(Quick with { ClaimBatch = 7 }, parent, child);
        var two = await HostAsync(Quick with { ClaimBatch = 7 }, parent, child);
        WorkflowClient[] clients = [one.Client, two.Client, Client(child)];
        var started = new List<Guid>();
        for (var i = 0; i < Parents; i++)
        {
            var input = new Ledger { Entries = [.. Range(0, Each)] };
            started.Add((await one.Client.StartAsync(parent, input, cancellationToken: Token)).Id);
        }

        await Task.WhenAll(children.Select((id, i) => Task.Run(() => clients[i % 3].SendAsync(id, "go", 7), Token)));

        foreach (var id in started)
        {
            var record = await CloseOf(one.Client, id);
            Assert.Equal((InstanceStatus.Completed, (long)Each), (record.Status, record.Version));
            Assert.Equal(Repeat(7, Each), await EntriesOf(one.Client, id));
        }

        await Quiescence();
        await CountedAsync(one, two);
        Assert.Equal(2 * Parents * Each, one.Counters.Signals + two.Counters.Signals);
        Assert.Equal(0, one.Counters.StaleSignals + two.Counters.StaleSignals);
        Assert.Empty(await DeadLetters());
    }

    /// <summary>Signals the instances, which closes those with a parent.</summary>
    /// <returns>How many signals were handled.</returns>
    private async Task<int> CloseAsync(ByHand hand, bool byClaim, params InstanceRecord[] instances)
    {
        var backend = Connect();
        SignalSubmission[] signals = [.. instances.Select(instance => Seam.Publish(instance.Id))];
        if (byClaim)
        {
            await backend.SubmitAsync([.. signals], Token);
            return (await hand.ProcessAsync(backend, 100)).Signals;
        }

        await hand.SubmitAsync(backend, [.. signals]);
        return signals.Count(signal => signal.IsDecided);
    }

    /// <summary>Decides by hand: an instance with a parent closes and reports its id.</summary>
    private sealed class ByHand
    {
        private IReadOnlyList<Decision> _decisions = [];

        /// <summary>In the order of their decisions.</summary>
        public List<InstanceRecord> Closed { get; } = [];

        /// <summary>The reports by parent.</summary>
        public Dictionary<Guid, List<string>> Asked { get; } = [];

        public bool Leaves { get; init; }

        public Exception? Error { get; init; }

        /// <summary>What happens while the children are held.</summary>
        public Func<Task> Closing { get; init; } = static () => Task.CompletedTask;

        /// <summary>What happens while the parents are held.</summary>
        public Func<Task> Deciding { get; init; } = static () => Task.CompletedTask;

        public Task SubmitAsync(IWorkflowBackend backend, params Submission[] batch) =>
            backend.SubmitAsync(batch, new DirectTurns(DecideAsync) { DecideParents = DecideParentsAsync }, Token);

        public Task<ProcessOutcome> ProcessAsync(IWorkflowBackend backend, int signals) =>
            backend.ProcessAsync(new ClaimRequest(signals) { DecideParents = DecideParentsAsync }, DecideAsync, Token);

        private async Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch)
        {
            await Closing();
            _decisions = [.. batch.Instances.Select(Close)];
            return _decisions;
        }

        private Decision Close(ClaimedInstance claimed)
        {
            var decision = Seam.Count(claimed);
            if (claimed.Instance.ParentId is not { } parent)
                return decision;
            Closed.Add(claimed.Instance);
            decision.Instance = decision.Instance! with { Status = InstanceStatus.Completed, Waits = WaitKinds.None };
            decision.Sent = [Seam.Signal(parent, $"{claimed.Instance.Id}") with { Kind = SignalKind.ChildClosed }];
            return decision;
        }

        private async Task<IReadOnlyList<Decision>> DecideParentsAsync(ClaimedBatch batch)
        {
            await Deciding();
            if (Error is not null)
                throw Error;
            foreach (var claimed in batch.Instances)
                Asked.Add(claimed.Instance.Id, [.. claimed.Signals.Select(signal => signal.Name)]);
            if (Leaves)
                return [.. batch.Instances.Select(_ => new Decision())];
            foreach (var decision in _decisions)
                decision.Sent?.RemoveAll(signal => Asked.ContainsKey(signal.InstanceId));
            return Seam.Count(batch);
        }
    }

    /// <summary>A parent whose child waits for a signal.</summary>
    private sealed class Family
    {
        /// <param name="work">What it does afterwards.</param>
        public Family(Action? onClosed = null, Action? work = null)
        {
            Child = ChildOf(Children);
            var parent = Workflow
                .Define<Ledger>("parent")
                .Child(
                    "ask",
                    Child,
                    _ => new Ledger(),
                    (ledger, result) =>
                    {
                        onClosed?.Invoke();
                        ledger.Entries = result.Entries;
                    }
                );
            if (work is not null)
            {
                parent.Activity("work", (_, _) =>
                {
                    work();
                    return Task.CompletedTask;
                });
            }

            Parent = parent.Build();
        }

        public WorkflowDefinition<Ledger> Parent { get; }

        public WorkflowDefinition<Ledger> Child { get; }

        /// <summary>Those that were started.</summary>
        public ConcurrentQueue<Guid> Children { get; } = [];

        public static WorkflowDefinition<Ledger> ChildOf(ConcurrentQueue<Guid> children) =>
            Workflow
                .Define<Ledger>("child")
                .Do("enter", (_, context) =>
                {
                    children.Enqueue(context.InstanceId);
                    return Next.Step;
                })
                .WaitFor<int>("go", (ledger, number) => ledger.Entries.Add(number))
                .Build();
    }
}

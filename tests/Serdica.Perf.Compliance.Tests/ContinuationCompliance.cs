namespace Serdica.Perf.Compliance;

/// <summary>What goes over to the instance that continues another one: signals, in order, and dedup keys.</summary>
public abstract class ContinuationCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private static readonly WorkflowDefinition<Ledger> First = Workflow
        .Define<Ledger>("first")
        .WaitFor<int>("go", (_, _) => { })
        .ContinueWith("hand-over", Definitions.Appending, ledger => ledger)
        .Build();

    /// <summary>Takes one number a run, and continues itself until the last one.</summary>
    private static readonly WorkflowDefinition<Ledger> Loop = Workflow
        .Define<Ledger>("loop")
        .WaitFor<int>("append", (ledger, number) =>
        {
            if (number == Definitions.Last)
                return Next.Complete;
            ledger.Entries.Add(number);
            return Next.Step;
        })
        .ContinueWith("again", "loop", (Ledger ledger) => ledger)
        .Build();

    [Fact]
    public async Task Signals_that_were_kept_or_came_with_the_last_one_go_over_in_their_order()
    {
        var client = Client(First, Definitions.Appending);
        var started = await client.StartAsync(First);
        foreach (var number in new[] { 1, 2, 3 })
            await client.SendAsync(started.Id, "append", number);
        await client.SendAsync(started.Id, "go", 0);
        foreach (var number in new[] { 4, 5, Definitions.Last })
            await client.SendAsync(started.Id, "append", number);

        await HostAsync(First, Definitions.Appending);
        await CloseOf(client, started.Id);

        Assert.Equal([1, 2, 3, 4, 5], await EntriesOfLast(client, started.Id));
        Assert.Empty(await DeadLetters());
        await Quiescence();
    }

    [Fact]
    public async Task Predecessor_is_not_purged_while_a_signal_to_it_is_not_due()
    {
        var (host, started) = await StartedAsync(First, Definitions.Appending);
        await host.Client.SignalAsync(started.Id, "append", 1, new() { Delay = FromDays(7) }, Token);
        var closed = await EndAsync(host, started.Id);
        var last = await NextOf(host, started.Id);
        await host.Client.SendAsync(last, "append", Definitions.Last);
        await CloseOf(host.Client, last);
        await Eventually(async () => (await Census()).SignalsLater == 1, "only the later signal is stored");

        // Another one shows that closed instances are purged by now.
        var other = await host.Client.StartAsync(First);
        await EndAsync(host, other.Id);
        await Eventually(async () => await Backend.PurgeAsync(TimeSpan.Zero, Token) > 0, "the other one is purged");

        Assert.Equal(closed.Version, await VersionOf(started.Id));
        Assert.Equal(InstanceStatus.Completed, await StatusOf(last));
        Assert.Equal(1, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Predecessor_alone_is_not_purged_while_a_signal_to_it_is_stored_due_or_not()
    {
        var continued = Seam.Closed() with { Progress = "{}"u8.ToArray() };
        var other = Seam.Closed();
        await Backend.SubmitAsync(
            Seam.Start(continued, Seam.Signal(continued.Id)),
            Seam.Start(other, Seam.Signal(other.Id, due: Due.After(FromDays(7))))
        );

        await PurgesOther();

        Assert.Equal(WaitKinds.None, (await RecordOf(continued.Id)).Waits);
        Assert.Null(await Backend.FindAsync(other.Id, Token));
        Assert.Equal(["go"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Delayed_signal_to_the_first_of_a_chain_reaches_the_last_when_a_purge_came_before()
    {
        var host = await HostAsync(First, Loop);
        var (started, other) = (await host.Client.StartAsync(Loop), await host.Client.StartAsync(First));
        await host.Client.SignalAsync(started.Id, "append", 3, new() { Delay = FromSeconds(2) }, Token);
        await host.Client.SendAsync(started.Id, "append", 1);
        await CloseOf(host.Client, started.Id);
        await host.Client.SendAsync(started.Id, "append", 2);
        var second = await NextOf(host, started.Id);
        await CloseOf(host.Client, second);
        var third = await NextOf(host, second);
        await EndAsync(host, other.Id);

        await PurgesOther();
        await Eventually(async () => await Census() is { SignalsDue: 0, SignalsLater: 0 }, "the delayed signal is handled");
        await host.Client.SendAsync(third, "append", Definitions.Last);

        Assert.Equal([1, 2, 3], (await EntriesOfLast(host.Client, third)).Order());
    }

    [Fact]
    public async Task Closed_chain_stays_while_a_signal_to_its_first_is_stored_and_is_then_purged_at_once()
    {
        var first = Seam.Closed() with { Progress = "{}"u8.ToArray() };
        var second = After(first);
        var third = After(second);
        await Backend.SubmitAsync(Seam.Start(first, Seam.Signal(first.Id)));
        foreach (var next in new[] { second, third, Seam.Closed() })
            await Backend.SubmitAsync(Seam.Start(next));
        await PurgesOther();

        await Backend.ProcessAsync(10, batch => [.. batch.Instances.Select(_ => new Decision())], Token);
        Assert.NotNull(await Backend.FindAsync(second.Id, Token));
        Assert.Equal(3, await Backend.PurgeAsync(TimeSpan.Zero, Token));

        static InstanceRecord After(InstanceRecord before) =>
            Seam.Closed() with
            {
                Id = SortableId.NextBeside(DateTimeOffset.UtcNow, before.Id),
                Progress = Encoding.UTF8.GetBytes($$"""{"continuedFrom":"{{before.Id}}"}"""),
            };
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Stored_signal_to_the_closed_predecessor_needs_no_host_that_has_its_definition_or_step(bool hasDefinition)
    {
        var changed = Workflow.Define<Ledger>("by-hand").WaitFor<int>("renamed", (_, _) => { }).Build();
        var host = await (hasDefinition ? HostAsync(Definitions.Appending, changed) : HostAsync(Definitions.Appending));
        var started = await host.Client.StartAsync(Definitions.Appending);
        await Backend.StartAsync("go");
        await Eventually(() => host.Counters.Deferred > 0, "the host has met the definition and leaves it alone");
        var first = Seam.Closed() with
        {
            Id = SortableId.NextBeside(DateTimeOffset.UtcNow, started.Id),
            Progress = Encoding.UTF8.GetBytes($$"""{"continuedAs":"{{started.Id}}"}"""),
        };

        await Backend.SubmitAsync(Seam.Start(first, Seam.Signal(first.Id, "append") with { Payload = "-1"u8.ToArray() }));

        await Completes(host.Client, started.Id);
    }

    [Fact]
    public async Task Signals_to_the_closed_predecessor_reach_the_continuation()
    {
        var host = await HostAsync(First, Definitions.Appending);
        var started = await host.Client.StartAsync(First, "order-1");
        await EndAsync(host, started.Id);

        Assert.Equal(PublishOutcome.Accepted, await host.Client.SendAsync(started.Id, "append", 1));
        Assert.Equal(PublishOutcome.Accepted, await host.Client.SignalByKeyAsync("order-1", "append", 2, cancellationToken: Token));
        Assert.Equal(
            PublishOutcome.Accepted,
            await host.Client.SignalByKeyAsync("order-1", "append", Definitions.Last, cancellationToken: Token)
        );

        Assert.Equal([1, 2], await EntriesOfLast(host.Client, started.Id));
        Assert.Equal(PublishOutcome.InstanceClosed, await host.Client.SendAsync(started.Id, "append", 3));
    }

    [Fact]
    public async Task Cancel_of_the_closed_predecessor_reaches_the_continuation()
    {
        var host = await HostAsync(First, Definitions.Appending);
        var started = await host.Client.StartAsync(First, "order-1");
        await EndAsync(host, started.Id);

        Assert.Equal(PublishOutcome.Accepted, await host.Client.CancelByKeyAsync("order-1", "Enough.", cancellationToken: Token));

        var continued = await NextOf(host, started.Id);
        Assert.Equal(
            (InstanceStatus.Cancelled, "Enough."),
            await CloseOf(host.Client, continued) is var record ? (record.Status, record.Error) : default
        );
    }

    [Fact]
    public async Task Dedup_key_that_the_predecessor_accepted_is_a_duplicate_for_the_continuation()
    {
        var (host, started) = await StartedAsync(First, Definitions.Appending);
        var once = new PublishOptions { DedupKey = "payment-1" };
        Assert.Equal(PublishOutcome.Accepted, await host.Client.SignalAsync(started.Id, "append", 1, once, Token));
        await EndAsync(host, started.Id);
        var continued = await NextOf(host, started.Id);

        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(continued, "append", 1, once, Token));
        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(started.Id, "append", 1, once, Token));
        var other = new PublishOptions { DedupKey = "payment-2" };
        Assert.Equal(PublishOutcome.Accepted, await host.Client.SignalAsync(started.Id, "append", 2, other, Token));
        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(continued, "append", 2, other, Token));

        await host.Client.SendAsync(continued, "append", Definitions.Last);
        Assert.Equal([1, 2], await EntriesOfLast(host.Client, started.Id));
    }

    [Fact]
    public async Task Dedup_key_that_both_have_accepted_does_not_hinder_the_continuation()
    {
        var first = Seam.Instance();
        var second = Seam.Instance() with { Id = SortableId.NextBeside(DateTimeOffset.UtcNow, first.Id) };
        SignalSubmission Once(InstanceRecord to) => new(Seam.Signal(to.Id), dedupKey: "payment-1");
        await Backend.SubmitAsync(Seam.Start(first), Seam.Start(second));
        await Backend.SubmitAsync(Once(first), Once(second));

        var outcome = await Backend.ProcessAsync(
            10,
            batch =>
            {
                var decisions = Seam.Count(batch);
                decisions.Single(decision => decision.Instance!.Id == first.Id).Continued = [new(first.Id, second.Id)];
                return decisions;
            },
            Token
        );

        Assert.Equal((2, false), (outcome.Signals, outcome.Conflict));
    }

    [Fact]
    public async Task Definition_that_continues_itself_takes_one_signal_a_run()
    {
        var client = Client(Loop);
        var started = await client.StartAsync(Loop);
        foreach (var number in new[] { 1, 2, 3, 4, Definitions.Last })
            await client.SendAsync(started.Id, "append", number);

        await HostAsync(Loop);

        Assert.Equal([1, 2, 3, 4], await EntriesOfLast(client, started.Id));
        Assert.Equal(5, (await Census()).Count(InstanceStatus.Completed));
        Assert.Empty(await DeadLetters());
        await Quiescence();
    }

    [Fact]
    public async Task Definition_that_continues_itself_without_a_wait_is_stopped()
    {
        var endless = Workflow
            .Define<Ledger>("endless")
            .WaitFor<int>("go", (_, _) => { })
            .ContinueWith("on", "spin", (Ledger ledger) => ledger)
            .Build();
        var spin = Workflow.Define<Ledger>("spin").ContinueWith("again", "spin", (Ledger ledger) => ledger).Build();
        var (host, started) = await StartedAsync(endless, spin);

        await host.Client.SendAsync(started.Id, "go", 0);
        await Eventually(async () => (await Census()).DeadLetters == 1, "the signal is a dead letter");

        Assert.Contains("in a row without a wait", (await DeadLetters())[0].Detail);
        Assert.Equal("go", (await RecordOf(started.Id)).Step);
        Assert.Equal(0, host.Counters.BackendFailures);
    }

    private Task PurgesOther() => Eventually(async () => await Backend.PurgeAsync(TimeSpan.Zero, Token) == 1, "the other one is purged");

    private static async Task<InstanceRecord> EndAsync(WorkflowHost host, Guid first)
    {
        await host.Client.SendAsync(first, "go", 0);
        return await CloseOf(host.Client, first);
    }

    private static async Task<Guid> NextOf(WorkflowHost host, Guid id) =>
        (await host.Client.GetAsync<Ledger>(id, Token))!.ContinuedAs!.Value;

    /// <summary>The entries of the last of the chain, once it has closed.</summary>
    private static async Task<List<int>> EntriesOfLast(WorkflowClient client, Guid id)
    {
        while (true)
        {
            await CloseOf(client, id);
            var instance = (await client.GetAsync<Ledger>(id, Token))!;
            if (instance.ContinuedAs is not { } next)
                return instance.State.Entries;
            id = next;
        }
    }
}

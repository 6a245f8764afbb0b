namespace Serdica.Perf.Compliance;

/// <summary>Callers hear that their instance has closed, whichever process closed it.</summary>
public abstract class WatchingCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Closed_instances_are_read_as_a_batch_and_open_or_unknown_ones_left_out()
    {
        var host = await HostAsync(Definitions.Approval);
        var started = await StartAsync(host.Client, Definitions.Approval, 5);
        foreach (var instance in started.Take(3))
        {
            await host.Client.SendAsync(instance.Id, "approve", "yes");
            await CloseOf(host.Client, instance.Id);
        }

        var closed = await Backend.FindClosedAsync([.. started.Select(instance => instance.Id), Guid.NewGuid()], Token);
        var none = await Backend.FindClosedAsync([], Token);

        Assert.Equal(started.Take(3).Select(instance => instance.Id).Order(), closed.Select(instance => instance.Id).Order());
        Assert.All(closed, instance => Assert.Equal((InstanceStatus.Completed, 1L), (instance.Status, instance.Version)));
        Assert.Empty(none);
        var faulted = Seam.Closed(InstanceStatus.Faulted);
        await Backend.SubmitAsync(Seam.Start(faulted));
        Assert.Single(await Backend.FindClosedAsync([faulted.Id], Token));
    }

    [Fact]
    public async Task Watch_is_told_of_a_close_by_another_process()
    {
        var client = Client(Definitions.Approval);
        await HostAsync(Definitions.Approval);
        var started = await client.StartAsync(Definitions.Approval);
        var watch = client.WatchClose(started.Id);

        await client.SendAsync(started.Id, "approve", "yes");

        Assert.Equal((started.Id, InstanceStatus.Completed, null), Parts(await watch.InTime()));
    }

    [Fact]
    public async Task Watch_that_begins_after_the_close_by_another_process_is_told_too()
    {
        var client = Client(Definitions.Approval);
        var host = await HostAsync(Definitions.Approval);
        var started = await client.StartAsync(Definitions.Approval);
        await client.SendAsync(started.Id, "approve", "yes");
        await CloseOf(host.Client, started.Id);

        var watch = client.WatchClose(started.Id);

        Assert.Equal((started.Id, InstanceStatus.Completed, null), Parts(await watch.InTime()));
    }

    [Fact]
    public async Task Watch_of_another_process_learns_what_the_instance_was_continued_as()
    {
        var definition = Workflow
            .Define<Ledger>("relay")
            .WaitFor<int>("go", (_, _) => { })
            .ContinueWith("hand-over", Definitions.Approval, ledger => ledger)
            .Build();
        var client = Client(definition, Definitions.Approval);
        await HostAsync(definition, Definitions.Approval);
        var started = await client.StartAsync(definition);
        var watch = client.WatchClose(started.Id);

        await client.SendAsync(started.Id, "go", 1);

        var closed = await watch.InTime();
        Assert.Equal(InstanceStatus.Waiting, (await RecordOf(closed.ContinuedAs!.Value)).Status);
    }

    [Fact]
    public async Task Each_of_many_watches_is_told_of_its_own_instance()
    {
        const int Count = 300;
        var client = Client(Definitions.Approval);
        await HostAsync(Definitions.Approval);
        await HostAsync(Definitions.Approval);
        var started = await StartAsync(client, Definitions.Approval, Count);
        var watches = started.Select(instance => client.WatchClose(instance.Id)).ToList();

        await Task.WhenAll(started.Select(instance => client.SendAsync(instance.Id, "approve", "yes")));

        var closed = await Task.WhenAll(watches).InTime();
        Assert.Equal(started.Select(instance => instance.Id), closed.Select(one => one.Id));
    }

    /// <summary>Reads of closed instances are made to fail, so that only the hint is left.</summary>
    [Fact]
    public async Task Hint_alone_tells_a_watch_of_another_process_where_closes_are_hinted()
    {
        Assert.SkipUnless(Backend.Capabilities.HintsCloses, $"Backend '{Backend.Name}' hears of no other process that closes instances.");
        await using var client = new WorkflowClient(new NeverLooks(Connect()), new([Definitions.Approval]), Quick);
        await HostAsync(Definitions.Approval);

        // The client listens before it hears, and the host hears only then that somebody listens.
        var told = 0;
        for (var round = 0; round < 100 && told < 3; round++)
        {
            var started = await client.StartAsync(Definitions.Approval);
            var watch = client.WatchClose(started.Id);
            await client.SendAsync(started.Id, "approve", "yes");
            if (await Task.WhenAny(watch, Task.Delay(FromMilliseconds(500), Token)) == watch)
                told++;
            client.StopWatching(started.Id, watch);
        }

        Assert.Equal(3, told);
    }

    /// <summary>A notification of PostgreSQL is shorter than 8,000 bytes, and 181 closes fit into it.</summary>
    [Fact]
    public async Task Hint_of_more_closes_than_one_notification_holds_tells_of_each()
    {
        Assert.SkipUnless(Backend.Capabilities.HintsCloses, $"Backend '{Backend.Name}' hears of no other process that closes instances.");
        var listener = Connect();
        HashSet<ClosedInstance> closed =
        [
            .. Range(0, (2 * 181) + 1)
                .Select(i => new ClosedInstance(Guid.NewGuid(), InstanceStatus.Faulted, i % 2 == 0 ? null : Guid.NewGuid())),
        ];
        var hearing = HearAsync();

        // A hint may be lost, as on a machine that stands still for longer than the listener's heartbeat.
        await Eventually(
            async () => await Backend.NotifyClosesAsync([.. closed], Token) && hearing.IsCompleted,
            "the other process hears of all"
        );

        Assert.Equal(closed, await hearing);

        async Task<HashSet<ClosedInstance>> HearAsync()
        {
            HashSet<ClosedInstance> heard = [];
            while (heard.Count < closed.Count)
                heard.UnionWith(await listener.WaitForClosesAsync(HangGuard.Limit, Token));
            return heard;
        }
    }

    /// <summary>A store whose instances nobody waits for is not burdened.</summary>
    [Fact]
    public async Task Closes_are_hinted_while_another_process_listens_and_no_longer()
    {
        Assert.SkipUnless(Backend.Capabilities.HintsCloses, $"Backend '{Backend.Name}' hears of no other process that closes instances.");
        ClosedInstance[] closed = [new(Guid.NewGuid(), InstanceStatus.Completed, null)];
        var listener = Connect();
        var waiting = listener.WaitForClosesAsync(HangGuard.Limit, Token);
        await Eventually(() => Backend.NotifyClosesAsync(closed, Token), "the other process listens");

        await listener.DisposeAsync();

        await waiting;
        await Eventually(async () => !await Backend.NotifyClosesAsync(closed, Token), "nobody listens");
    }

    /// <summary>Hints are dropped, so that only the look is left.</summary>
    [Fact]
    public async Task Look_alone_tells_a_watch_when_hints_are_lost()
    {
        await using var client = new WorkflowClient(new HearsNothing(Connect()), new([Definitions.Approval]), Quick);
        await HostAsync(Definitions.Approval);
        var started = await client.StartAsync(Definitions.Approval);
        var watch = client.WatchClose(started.Id);

        await client.SendAsync(started.Id, "approve", "yes");

        Assert.Equal(started.Id, (await watch.InTime()).Id);
    }

    private static (Guid Id, InstanceStatus Status, Guid? ContinuedAs) Parts(ClosedInstance closed) =>
        (closed.Id, closed.Status, closed.ContinuedAs);

    private sealed class NeverLooks(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        public override Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(
            IReadOnlyList<Guid> instanceIds,
            CancellationToken cancellationToken
        ) => throw new WorkflowBackendException("The look is made to fail.", isTransient: true);
    }

    private sealed class HearsNothing(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        public override async Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken)
        {
            await Task.Delay(maximum, cancellationToken);
            return [];
        }
    }
}

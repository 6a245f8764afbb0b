namespace Serdica.Perf.Workflows.Tests;

/// <summary>Callers that wait for instances share the reads of them.</summary>
public sealed class ClosedReadsTests
{
    private static readonly WorkflowDefinition<Tally> Closing = Workflow.Define<Tally>("closing").Do("end", static _ => { }).Build();

    private static readonly WorkflowDefinition<Tally> Waiting = Workflow
        .Define<Tally>("waiting")
        .WaitFor<int>("go", static (_, _) => { })
        .Build();

    private readonly InMemoryWorkflowBackend _store = new();

    [Fact]
    public async Task Callers_that_come_while_a_read_is_under_way_share_the_next_one()
    {
        var closed = await StartedAsync(300, Closing);
        var backend = new HeldReads(_store);
        var reads = new ClosedReads(backend);

        var asked = closed.Append(closed[^1]).Select(id => reads.ReadAsync(id, Token)).ToList();
        Assert.DoesNotContain(asked, static read => read.IsCompleted);
        backend.Go.SetResult();
        var read = await Task.WhenAll(asked);

        Assert.Equal(closed.Append(closed[^1]), read.Select(static instance => instance!.Id));
        Assert.Equal([1, ClosedInstances.LookBatch, 299 - ClosedInstances.LookBatch], backend.Sizes);
        Assert.Equal(closed[0], (await reads.ReadAsync(closed[0], Token))!.Id);
    }

    [Fact]
    public async Task Open_instance_and_none_at_all_are_no_closed_ones()
    {
        var open = await StartedAsync(1, Waiting);
        var reads = new ClosedReads(_store);

        Assert.Null(await reads.ReadAsync(open[0], Token));
        Assert.Null(await reads.ReadAsync(SortableId.Next(DateTimeOffset.UtcNow), Token));
    }

    [Fact]
    public async Task Read_that_fails_fails_for_those_that_shared_it()
    {
        var closed = await StartedAsync(3, Closing);
        var backend = new HeldReads(_store);
        var reads = new ClosedReads(backend);

        var first = reads.ReadAsync(closed[0], Token);
        var second = reads.ReadAsync(closed[1], Token);
        backend.Go.SetException(new WorkflowBackendException("The server has gone.", isTransient: true));
        await Assert.ThrowsAsync<WorkflowBackendException>(() => first);
        await Assert.ThrowsAsync<WorkflowBackendException>(() => second);

        backend.Go = new();
        backend.Go.SetResult();
        Assert.Equal(closed[2], (await reads.ReadAsync(closed[2], Token))!.Id);
    }

    [Fact]
    public async Task Caller_that_gives_up_leaves_the_others_their_read()
    {
        var closed = await StartedAsync(2, Closing);
        var backend = new HeldReads(_store);
        var reads = new ClosedReads(backend);
        using var impatient = new CancellationTokenSource();

        var given = reads.ReadAsync(closed[0], impatient.Token);
        var other = reads.ReadAsync(closed[0], Token);
        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
        backend.Go.SetResult();

        Assert.Equal(closed[0], (await other)!.Id);
    }

    [Fact]
    public async Task Client_waits_with_shared_reads()
    {
        var closed = await StartedAsync(100, Closing);
        var backend = new HeldReads(_store);
        await using var client = new WorkflowClient(backend, new([Closing]), time: new ManualTimeProvider());

        var waits = closed.Select(id => client.WaitForCloseAsync(id, Token)).ToList();
        backend.Go.SetResult();

        Assert.Equal(closed, (await Task.WhenAll(waits)).Select(static instance => instance.Id));
        Assert.Equal([1, 99], backend.Sizes);
        await Assert.ThrowsAsync<KeyNotFoundException>(() => client.WaitForCloseAsync(SortableId.Next(DateTimeOffset.UtcNow), Token));
    }

    [Fact]
    public async Task Wait_that_was_given_up_watches_no_more()
    {
        var open = await StartedAsync(1, Waiting);
        await using var client = new WorkflowClient(_store, new([Waiting]), time: new ManualTimeProvider());
        var watch = client.WatchClose(open[0]);
        using var impatient = new CancellationTokenSource();
        var wait = client.WaitForCloseAsync(open[0], impatient.Token);
        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait.InTime());

        client.StopWatching(open[0], watch);

        Assert.NotSame(watch, client.WatchClose(open[0]));
    }

    /// <summary>As after a failover to a server that lacks the last commits.</summary>
    [Fact]
    public async Task Close_that_was_reported_and_is_not_in_the_database_is_asked_for_again_with_pauses()
    {
        var open = await StartedAsync(1, Waiting);
        var (time, backend) = (new ManualTimeProvider(), new WrongHint(_store, open[0]));
        await using var client = new WorkflowClient(backend, new([Waiting]), time: time);

        var wait = client.WaitForCloseAsync(open[0], Token);
        for (var reads = 2; reads < 6; reads++)
        {
            await HangGuard.UntilAsync(() => backend.Reads >= reads, () => $"There were {backend.Reads} reads.");
            Assert.Equal(reads, backend.Reads);
            time.Advance(FromMilliseconds(10 << reads));
        }

        Assert.False(wait.IsCompleted);
    }

    private async Task<List<Guid>> StartedAsync(int count, WorkflowDefinition<Tally> definition)
    {
        await using var client = new WorkflowClient(_store, new([definition]));
        var ids = new List<Guid>();
        while (ids.Count < count)
            ids.Add((await client.StartAsync(definition, new Tally(), cancellationToken: Token)).Id);
        return ids;
    }

    /// <summary>Another process says once that an open instance has closed.</summary>
    private sealed class WrongHint(IWorkflowBackend inner, Guid instanceId) : BackendDecorator(inner)
    {
        private int _reads;
        private int _isHinted;

        public override BackendCapabilities Capabilities => Inner.Capabilities with { HintsCloses = true };

        public int Reads => Volatile.Read(ref _reads);

        public override Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(
            IReadOnlyList<Guid> instanceIds,
            CancellationToken cancellationToken
        )
        {
            Interlocked.Increment(ref _reads);
            return Inner.FindClosedAsync(instanceIds, cancellationToken);
        }

        public override async Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken)
        {
            if (Interlocked.Exchange(ref _isHinted, 1) == 0)
                return [new(instanceId, InstanceStatus.Completed, null)];
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return [];
        }
    }

    /// <summary>Holds reads until they may go on.</summary>
    private sealed class HeldReads(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        public TaskCompletionSource Go { get; set; } = new(RunContinuationsAsynchronously);

        public List<int> Sizes { get; } = [];

        public override async Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(
            IReadOnlyList<Guid> instanceIds,
            CancellationToken cancellationToken
        )
        {
            Sizes.Add(instanceIds.Count);
            await Go.Task;
            return await base.FindClosedAsync(instanceIds, cancellationToken);
        }
    }
}

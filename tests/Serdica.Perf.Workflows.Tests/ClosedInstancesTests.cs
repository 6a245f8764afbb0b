namespace Serdica.Perf.Workflows.Tests;

/// <summary>Several callers watch one instance.</summary>
public sealed class ClosedInstancesTests
{
    /// <summary>Short enough for many looks.</summary>
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(10);

    private readonly LookedAt _backend = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Caller_that_was_told_takes_back_no_watch_that_began_later()
    {
        await using var closed = new ClosedInstances(_backend, Poll, TimeProvider.System);
        var instance = NewClosed();
        var told = closed.Begin(instance.Id);
        closed.Report(instance);
        Assert.True(told.IsCompletedSuccessfully);
        var later = closed.Begin(instance.Id);

        closed.Forget(instance.Id, told);

        closed.Report(instance);
        Assert.True(later.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Watch_whose_last_caller_has_gone_is_over()
    {
        await using var closed = new ClosedInstances(_backend, Poll, TimeProvider.System);
        var instance = NewClosed();
        var watch = closed.Begin(instance.Id);
        Assert.Same(watch, closed.Begin(instance.Id));

        closed.Forget(instance.Id, watch);
        closed.Forget(instance.Id, watch);

        Assert.NotSame(watch, closed.Begin(instance.Id));
        closed.Report(instance);
        Assert.False(watch.IsCompleted);
    }

    /// <summary>A new caller joins before each look.</summary>
    [Fact]
    public async Task New_callers_do_not_keep_an_older_watch_from_being_looked_for()
    {
        await using var closed = new ClosedInstances(_backend, Poll, TimeProvider.System);
        var instance = NewClosed();
        _backend.Closed.Add(instance);
        Task<ClosedInstance>? older = null;
        _backend.Looks = () =>
        {
            older ??= closed.Begin(instance.Id);
            closed.Forget(instance.Id, closed.Begin(instance.Id));
        };

        // There is a look in each round, because this one stays open.
        _ = closed.Begin(SortableId.Next(DateTimeOffset.UtcNow));
        await _backend.TenLooks.WaitAsync(HangGuard.Limit, Token);

        Assert.True(older!.IsCompletedSuccessfully);
    }

    private static InstanceRecord NewClosed() =>
        new()
        {
            Id = SortableId.Next(DateTimeOffset.UtcNow),
            Definition = "closing",
            DefinitionVersion = 1,
            Status = InstanceStatus.Completed,
            Waits = WaitKinds.None,
            Step = "end",
            Version = 1,
            State = "{}"u8.ToArray(),
        };

    private sealed class LookedAt() : BackendDecorator(new InMemoryWorkflowBackend())
    {
        private readonly TaskCompletionSource _tenLooks = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _looks;

        /// <summary>What looks find.</summary>
        public List<InstanceRecord> Closed { get; } = [];

        /// <summary>Called in each look.</summary>
        public Action Looks { get; set; } = static () => { };

        public Task TenLooks => _tenLooks.Task;

        public override Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(
            IReadOnlyList<Guid> instanceIds,
            CancellationToken cancellationToken
        )
        {
            Looks();
            if (++_looks == 10)
                _tenLooks.SetResult();
            return Task.FromResult<IReadOnlyList<InstanceRecord>>(Closed.FindAll(instance => instanceIds.Contains(instance.Id)));
        }
    }
}

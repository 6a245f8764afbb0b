namespace Serdica.Perf.Workflows.Tests;

/// <summary>Several callers watch one instance.</summary>
public sealed class ClosedInstancesTests
{
    private readonly LookedAt _backend = new();

    [Fact]
    public async Task Caller_that_was_told_takes_back_no_watch_that_began_later()
    {
        await using var closed = Client();
        var instance = NewClosed();
        var told = closed.Begin(instance.Id);
        closed.Report(instance);
        Assert.True(told.IsCompletedSuccessfully);
        var later = closed.Begin(instance.Id);

        closed.Forget(instance.Id, told);

        closed.Report(instance);
        Assert.True(later.IsCompletedSuccessfully);
    }

    /// <summary>A new caller joins before each look.</summary>
    [Fact]
    public async Task New_callers_do_not_keep_an_older_watch_from_being_looked_for()
    {
        await using var closed = Client();
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
        await _backend.TenLooks.Task.InTime();

        Assert.True(older!.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Close_by_one_client_of_a_backend_is_told_to_its_others()
    {
        await using var closing = Client();
        await using var watching = Client();
        var instance = NewClosed();
        var watches = new[] { closing.Begin(instance.Id), watching.Begin(instance.Id) };

        closing.Report(instance);

        Assert.All(watches, static watch => Assert.True(watch.IsCompletedSuccessfully));
    }

    [Fact]
    public async Task Hint_that_one_client_of_a_backend_hears_is_told_to_its_others()
    {
        await using var first = Client();
        await using var second = Client();
        var instance = NewClosed();
        _ = first.Begin(SortableId.Next(DateTimeOffset.UtcNow));
        await _backend.Listened.Task.InTime();
        var watch = second.Begin(instance.Id);

        _backend.FirstHint.SetResult([ClosedInstance.Of(instance)]);

        Assert.Equal(instance.Id, (await watch.InTime()).Id);
    }

    /// <summary>A hint that fails counts as one that nobody heard.</summary>
    [Fact]
    public async Task Closes_are_hinted_once_each_and_without_a_pause_while_somebody_listens()
    {
        var clock = new ClockOfPauses();
        await using var hints = new CloseHints(_backend, clock);
        var pauses = new List<double>();

        foreach (var isHeard in (bool?[])[null, true, false])
        {
            _backend.IsHeard = isHeard;
            var closed = ClosedInstance.Of(NewClosed());
            hints.Add(closed);
            Assert.Equal([closed], await _backend.Hinted.Reader.ReadAsync(Token).AsTask().InTime());
            if (isHeard != true)
                pauses.Add((await clock.Pauses.Reader.ReadAsync(Token).AsTask().InTime()).TotalMilliseconds);
        }

        Assert.Equal([1_000, 1_000], pauses);
    }

    [Fact]
    public async Task Watch_ends_with_its_client_and_none_begins_after_it()
    {
        var closed = Client();
        var open = closed.Begin(Guid.NewGuid());

        await closed.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => open.InTime());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => closed.Begin(Guid.NewGuid()).InTime());
    }

    [Fact]
    public async Task Client_that_has_ended_is_not_kept_by_its_backend()
    {
        var ended = await EndedAsync();

        await HangGuard.UntilAsync(
            () =>
            {
                GC.Collect();
                return !ended.IsAlive;
            },
            () => "The backend keeps the client"
        );

        async Task<WeakReference> EndedAsync()
        {
            var closed = Client();
            _ = closed.Begin(Guid.NewGuid());
            await closed.DisposeAsync();
            return new(closed);
        }
    }

    private ClosedInstances Client() => new(_backend, pollInterval: FromMilliseconds(1), TimeProvider.System);

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
        private int _looks;

        public override BackendCapabilities Capabilities => base.Capabilities with { HintsCloses = true };

        public TaskCompletionSource Listened { get; } = new(RunContinuationsAsynchronously);

        /// <summary>What the first who listens hears.</summary>
        public TaskCompletionSource<IReadOnlyList<ClosedInstance>> FirstHint { get; } = new(RunContinuationsAsynchronously);

        /// <summary>What looks find.</summary>
        public List<InstanceRecord> Closed { get; } = [];

        /// <summary>Called in each look.</summary>
        public Action Looks { get; set; } = static () => { };

        public TaskCompletionSource TenLooks { get; } = new(RunContinuationsAsynchronously);

        /// <summary>Whether somebody hears a hint; null: it fails.</summary>
        public bool? IsHeard { get; set; }

        public Channel<ClosedInstance[]> Hinted { get; } = Channel.CreateUnbounded<ClosedInstance[]>();

        public override Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken)
        {
            Hinted.Writer.TryWrite([.. closed]);
            return Task.FromResult(IsHeard ?? throw new WorkflowBackendException("The connection is lost.", isTransient: true));
        }

        public override Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken)
        {
            var hint = Listened.TrySetResult() ? FirstHint : new TaskCompletionSource<IReadOnlyList<ClosedInstance>>();
            return hint.Task.WaitAsync(cancellationToken);
        }

        public override Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(
            IReadOnlyList<Guid> instanceIds,
            CancellationToken cancellationToken
        )
        {
            Looks();
            if (++_looks == 10)
                TenLooks.SetResult();
            return Task.FromResult<IReadOnlyList<InstanceRecord>>(Closed.FindAll(instance => instanceIds.Contains(instance.Id)));
        }
    }
}

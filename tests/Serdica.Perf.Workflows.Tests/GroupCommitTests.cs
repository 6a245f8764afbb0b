namespace Serdica.Perf.Workflows.Tests;

public sealed class GroupCommitTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Items_that_come_during_a_commit_share_the_next()
    {
        var commits = new Commits();
        await using var group = new GroupCommit<int>(commits.WriteAsync, static (_, _) => { }, TimeProvider.System, maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var first = group.CommitAsync(0, Token);
        await commits.BegunAsync();
        var rest = Enumerable.Range(1, 20).Select(i => group.CommitAsync(i, Token)).ToList();
        Assert.All(rest, call => Assert.False(call.IsCompleted));

        commits.Release();

        await Task.WhenAll([first, .. rest]);
        Assert.Equal([0], commits.Batches[0]);
        Assert.Equal(Enumerable.Range(1, 20), commits.Batches.Skip(1).SelectMany(batch => batch));
        Assert.InRange(commits.Batches.Count, 2, 3);
    }

    [Fact]
    public async Task Batches_are_bounded_and_keep_the_order()
    {
        var commits = new Commits();
        await using var group = new GroupCommit<int>(commits.WriteAsync, static (_, _) => { }, TimeProvider.System, maxBatch: 7, maxInFlight: 1, maxPending: 100);
        var calls = Enumerable.Range(0, 50).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();

        await Task.WhenAll(calls);
        Assert.All(commits.Batches, batch => Assert.InRange(batch.Count, 1, 7));
        Assert.Equal(Enumerable.Range(0, 50), commits.Batches.SelectMany(batch => batch));
    }

    [Fact]
    public async Task Item_at_fault_fails_alone_and_the_others_are_written_once()
    {
        var commits = new Commits { Refused = 13 };
        await using var group = new GroupCommit<int>(commits.WriteAsync, static (_, _) => { }, TimeProvider.System, maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var calls = Enumerable.Range(0, 40).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        Assert.IsType<InvalidDataException>(calls[13].Exception!.InnerException);
        Assert.Equal(39, calls.Count(call => call.IsCompletedSuccessfully));
        Assert.Equal(Enumerable.Range(0, 40).Where(i => i != 13), commits.Written.Order());
    }

    [Fact]
    public async Task What_follows_a_commit_knows_how_long_it_took()
    {
        var clock = new ManualTimeProvider();
        var took = new List<TimeSpan>();
        await using var group = new GroupCommit<TimeSpan>(
            batch =>
            {
                clock.Advance(batch[0]);
                return Task.CompletedTask;
            },
            (_, time) => took.Add(time),
            clock,
            maxBatch: 100, maxInFlight: 1, maxPending: 100);

        foreach (var milliseconds in (int[])[30, 7])
            await group.CommitAsync(TimeSpan.FromMilliseconds(milliseconds), Token);

        Assert.Equal([TimeSpan.FromMilliseconds(30), TimeSpan.FromMilliseconds(7)], took);
    }

    [Fact]
    public async Task Error_behind_the_commit_is_told_and_nothing_is_written_twice()
    {
        var commits = new Commits();
        await using var group = new GroupCommit<int>(
            commits.WriteAsync,
            static (_, _) => throw new InvalidOperationException("a listener failed"),
            TimeProvider.System,
            maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var calls = Enumerable.Range(0, 10).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        Assert.All(calls, call => Assert.IsType<InvalidOperationException>(call.Exception!.InnerException));
        Assert.Equal(Enumerable.Range(0, 10), commits.Written.Order());
    }

    [Fact]
    public async Task Transient_failure_is_told_to_all_and_not_repeated()
    {
        var commits = new Commits { Lost = true };
        await using var group = new GroupCommit<int>(commits.WriteAsync, static (_, _) => { }, TimeProvider.System, maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var calls = Enumerable.Range(0, 10).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        Assert.All(calls, call => Assert.IsType<WorkflowBackendException>(call.Exception!.InnerException));
        Assert.Equal(10, commits.Batches.Sum(batch => batch.Count));
    }

    [Fact]
    public async Task Callers_over_the_bound_wait_and_may_give_up_waiting()
    {
        var commits = new Commits();
        await using var group = new GroupCommit<int>(commits.WriteAsync, static (_, _) => { }, TimeProvider.System, maxBatch: 10, maxInFlight: 1, maxPending: 3);
        using var patience = new CancellationTokenSource();
        var accepted = Enumerable.Range(0, 3).Select(i => group.CommitAsync(i, Token)).ToList();
        var waiting = group.CommitAsync(3, patience.Token);

        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        commits.Release();
        await Task.WhenAll(accepted);

        Assert.Equal([0, 1, 2], commits.Written.Order());
    }

    [Fact]
    public async Task Closing_writes_what_was_accepted_and_refuses_the_rest()
    {
        var commits = new Commits();
        var group = new GroupCommit<int>(commits.WriteAsync, static (_, _) => { }, TimeProvider.System, maxBatch: 4, maxInFlight: 1, maxPending: 100);
        var calls = Enumerable.Range(0, 10).Select(i => group.CommitAsync(i, Token)).ToList();

        var closing = group.DisposeAsync().AsTask();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => group.CommitAsync(10, Token));
        Assert.False(closing.IsCompleted);
        commits.Release();
        await closing;

        await Task.WhenAll(calls);
        Assert.Equal(10, commits.Written.Count);
        await group.DisposeAsync();
    }

    [Fact]
    public async Task Caller_that_commits_is_not_kept_for_the_others()
    {
        using var gate = new SemaphoreSlim(0);
        var commits = 0;
        await using var group = new GroupCommit<int>(
            async _ =>
            {
                Interlocked.Increment(ref commits);
                await gate.WaitAsync(Token);
            },
            static (_, _) => { },
            TimeProvider.System,
            maxBatch: 1, maxInFlight: 1, maxPending: 100);
        var first = group.CommitAsync(0, Token);
        var others = Enumerable.Range(1, 5).Select(i => group.CommitAsync(i, Token)).ToList();

        gate.Release();
        await first.WaitAsync(TimeSpan.FromSeconds(20), Token);

        Assert.All(others, call => Assert.False(call.IsCompleted));
        gate.Release(5);
        await Task.WhenAll(others);
        Assert.Equal(6, commits);
    }

    [Fact]
    public async Task Racing_callers_are_all_written_exactly_once()
    {
        var commits = new Commits();
        commits.Release();
        await using var group = new GroupCommit<int>(commits.WriteAsync, static (_, _) => { }, TimeProvider.System, maxBatch: 16, maxInFlight: 2, maxPending: 32);

        await Task.WhenAll(Enumerable.Range(0, 8).Select(caller => Task.Run(
            async () =>
            {
                for (var i = 0; i < 250; i++)
                    await group.CommitAsync((caller * 250) + i, Token);
            },
            Token)));

        Assert.Equal(Enumerable.Range(0, 2_000), commits.Written.Order());
    }

    /// <summary>A database that writes nothing before it is released.</summary>
    private sealed class Commits
    {
        private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Lock _gate = new();
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int? Refused { get; init; }

        public bool Lost { get; init; }

        public List<List<int>> Batches { get; } = [];

        public List<int> Written { get; } = [];

        public void Release() => _released.TrySetResult();

        public Task BegunAsync() => _begun.Task;

        public async Task WriteAsync(IReadOnlyList<int> batch)
        {
            lock (_gate)
                Batches.Add([.. batch]);
            _begun.TrySetResult();
            await _released.Task;
            if (Lost)
                throw new WorkflowBackendException("The connection is lost.", isTransient: true);
            if (Refused is { } refused && batch.Contains(refused))
                throw new InvalidDataException("This item cannot be stored.");
            lock (_gate)
                Written.AddRange(batch);
        }
    }
}

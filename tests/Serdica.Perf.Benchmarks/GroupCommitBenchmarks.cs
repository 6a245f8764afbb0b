namespace Serdica.Perf.Benchmarks;

/// <summary>What does it cost a caller to have an item written by a group commit, with the database left out?</summary>
public class GroupCommitBenchmarks
{
    private const int Items = 256;

    private static readonly WorkflowOptions Options = new() { SubmitBatch = 256, MaxPendingSubmissions = 4096 };

    private readonly Task[] _pending = new Task[Items];
    private readonly GroupCommit<object> _commit = new(
        static (_, _) => Task.CompletedTask,
        static (_, _) => { },
        static _ => 1,
        static _ => 0,
        TimeProvider.System,
        Options
    );

    /// <summary>Nobody else is there: each item is a batch of its own.</summary>
    [Benchmark(OperationsPerInvoke = Items)]
    public async Task Alone()
    {
        for (var i = 0; i < Items; i++)
            await _commit.CommitAsync(this, CancellationToken.None);
    }

    /// <summary>The first holds the database until the others have come: two batches in all.</summary>
    [Benchmark(OperationsPerInvoke = Items)]
    public async Task Together()
    {
        var database = new TaskCompletionSource();
        await using var commit = new GroupCommit<object>(
            (_, _) => database.Task,
            static (_, _) => { },
            static _ => 1,
            static _ => 0,
            TimeProvider.System,
            Options
        );
        for (var i = 0; i < Items; i++)
            _pending[i] = commit.CommitAsync(this, CancellationToken.None);
        database.SetResult();
        await Task.WhenAll(_pending);
    }
}

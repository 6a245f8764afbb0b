using System.Diagnostics;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Prepares a backlog while no worker runs, then starts the workers. Operations count as wanted when the workers start, so
/// that response times are those of the burning down.
/// </summary>
internal sealed class BurnDown(OperationSet operations, int users)
{
    private readonly List<Task> _completions = [];
    private int _taken;

    /// <summary>The first error while the backlog was prepared.</summary>
    public Exception? Problem { get; private set; }

    /// <summary>Returns when the whole backlog is durable.</summary>
    public async Task PrepareAsync(CancellationToken cancellationToken) =>
        await Task.WhenAll(Enumerable.Range(0, users).Select(_ => Task.Run(() => LaunchAsync(cancellationToken), cancellationToken))).ConfigureAwait(false);

    /// <summary>Counts what was prepared as begun now, and each operation when it ends.</summary>
    public void Follow(StepRecorder recorder)
    {
        var begin = Stopwatch.GetTimestamp();
        foreach (var completion in _completions)
        {
            recorder.Start(begin, begin, TimeSpan.MaxValue);
            _ = FollowAsync(completion, begin, recorder);
        }
    }

    private static async Task FollowAsync(Task completion, long begin, StepRecorder recorder)
    {
        try
        {
            await completion.ConfigureAwait(false);
            recorder.Complete(begin, begin);
        }
        catch (Exception e)
        {
            recorder.Fail(e, begin, begin);
        }
    }

    private async Task LaunchAsync(CancellationToken cancellationToken)
    {
        while (Problem is null && Interlocked.Increment(ref _taken) - 1 is var operation && operation < operations.Count)
        {
            try
            {
                var completion = await operations.LaunchAsync(operation, cancellationToken).ConfigureAwait(false);
                lock (_completions)
                    _completions.Add(completion);
            }
            catch (Exception e) when (e is not OperationCanceledException)
            {
                Problem = e;
            }
        }
    }
}

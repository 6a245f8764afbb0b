using System.Diagnostics;
using Serdica.Perf.Measurement.Load;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Users who each begin their next operation when their last one has ended, until the time is over.</summary>
internal sealed class ClosedLoad(OperationSet operations, int users, TimeSpan duration, StepRecorder recorder)
{
    private int _taken;

    /// <summary>Returns when no operation is begun any more; begun ones may still run.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        var working = Task.WhenAll(Enumerable.Range(0, users).Select(_ => Task.Run(() => UseAsync(cancellationToken), CancellationToken.None)));
        await Task.WhenAny(working, Task.Delay(duration, cancellationToken)).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
    }

    private async Task UseAsync(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested
            && Stopwatch.GetElapsedTime(recorder.Begin) < duration
            && Interlocked.Increment(ref _taken) <= operations.Count)
        {
            // Wanted when the user is free, which is when it is made.
            var start = Stopwatch.GetTimestamp();
            var operation = recorder.Start(start, start, duration);
            try
            {
                var completion = await operations.LaunchAsync(operation, cancellationToken).ConfigureAwait(false);
                await completion.ConfigureAwait(false);
                recorder.Complete(start, start);
            }
            catch (Exception e)
            {
                // Whatever an operation throws is a failed operation, and the load goes on.
                recorder.Fail(e, start, start);
            }
        }
    }
}

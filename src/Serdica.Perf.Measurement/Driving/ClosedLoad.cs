using System.Diagnostics;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>Users who each begin their next operation when their last one has ended, until the time is over.</summary>
internal sealed class ClosedLoad(OperationSet operations, int users, TimeSpan duration, StepRecorder recorder)
{
    private readonly Lock _turn = new();
    private bool _ended;

    /// <summary>Whether a user found no operation left while there was time.</summary>
    public bool UsedUp { get; private set; }

    /// <summary>Returns when no operation is begun any more; begun ones may still run.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        var working = Task.WhenAll(Enumerable.Range(0, users).Select(_ => Task.Run(() => UseAsync(cancellationToken), CancellationToken.None)));
        await Task.WhenAny(working, Task.Delay(duration, cancellationToken)).ConfigureAwait(false);
        lock (_turn)
            _ended = true;
        cancellationToken.ThrowIfCancellationRequested();
    }

    private async Task UseAsync(CancellationToken cancellationToken)
    {
        while (TryBegin(cancellationToken, out var operation, out var start))
        {
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

    /// <summary>Whether there is another operation, which then counts as begun: none does once the load has ended.</summary>
    private bool TryBegin(CancellationToken cancellationToken, out int operation, out long start)
    {
        lock (_turn)
        {
            // Wanted when the user is free, which is when it is made.
            start = Stopwatch.GetTimestamp();
            operation = 0;
            if (_ended || cancellationToken.IsCancellationRequested || Stopwatch.GetElapsedTime(recorder.Begin, start) >= duration)
                return false;

            UsedUp = recorder.Started >= operations.Count;
            if (!UsedUp)
                operation = recorder.Start(start, start, duration);
            return !UsedUp;
        }
    }
}

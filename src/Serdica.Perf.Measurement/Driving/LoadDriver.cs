using System.Runtime.CompilerServices;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>Starts the operations of one load by the rules of its kind, and records each from its intended start to its end.</summary>
/// <remarks>
/// Nothing but its caller waits for an operation. When the load stalls or is cancelled, no further operation is started; the
/// owner of the set handles the rest by stopping the hosts that would complete it.
/// </remarks>
internal abstract class LoadDriver(OperationSet operations, LoadRecorder recorder)
{
    private static readonly TimeSpan StallCheckInterval = FromMilliseconds(200);

    private readonly Lock _turn = new();
    private readonly TaskCompletionSource _stopped = new(RunContinuationsAsynchronously);
    private int _offered;

    public LoadRecorder Recorder => recorder;

    /// <summary>Operations that were taken from the schedule or the set, by the driver's own count.</summary>
    public virtual int Offered => Volatile.Read(ref _offered);

    /// <summary>Whether a caller found no operation left while there was time.</summary>
    public bool UsedUp { get; private set; }

    protected OperationSet Operations => operations;

    protected bool IsStopped => _stopped.Task.IsCompleted;

    protected Task Stopped => _stopped.Task;

    /// <summary>Returns when no operation is started any more; operations may still run.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public abstract Task RunAsync(CancellationToken cancellationToken);

    /// <summary>Starts no further operation.</summary>
    public virtual void Stop()
    {
        lock (_turn)
            _stopped.TrySetResult();
    }

    /// <summary>Runs the load until every started operation has ended, or nothing has ended for the limit.</summary>
    /// <returns>False when it has stalled.</returns>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<bool> RunToEndAsync(TimeSpan stallLimit, CancellationToken cancellationToken)
    {
        var ended = EndAsync(cancellationToken);
        var (seen, seenAt) = (-1, recorder.Clock.GetTimestamp());
        try
        {
            while (await Task.WhenAny(ended, Task.Delay(StallCheckInterval, cancellationToken)) != ended)
            {
                cancellationToken.ThrowIfCancellationRequested();
                var now = recorder.Completed + recorder.Failed;
                if (now != seen)
                    (seen, seenAt) = (now, recorder.Clock.GetTimestamp());
                else if (recorder.Clock.GetElapsedTime(seenAt) > stallLimit)
                    return false;
            }

            await ended;
            return true;
        }
        finally
        {
            Stop();
            recorder.Close();
        }
    }

    /// <summary>Starts the next operation of a free caller, unless the load is over for it.</summary>
    /// <param name="duration">Nothing is started later; null means no limit.</param>
    /// <param name="cancellationToken">Nothing is started after it has fired.</param>
    /// <param name="start">The intended start: a caller's call is due when it is made.</param>
    protected bool TryStart(
        int until,
        TimeSpan? duration,
        long ready,
        CancellationToken cancellationToken,
        out int operation,
        out long start
    )
    {
        lock (_turn)
        {
            start = recorder.Clock.GetTimestamp();
            operation = 0;
            if (
                IsStopped
                || cancellationToken.IsCancellationRequested
                || (_offered > 0 && duration is { } limit && Stopwatch.GetElapsedTime(recorder.Begin, start) >= limit)
            )
            {
                return false;
            }

            if (_offered >= until)
            {
                UsedUp = _offered >= operations.Count;
                return false;
            }

            _offered++;
            operation = recorder.Start(start, ready, start);
            return true;
        }
    }

    /// <summary>Makes the call of an operation and waits for its completion.</summary>
    /// <returns>When it ended.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    protected async ValueTask<long> OperateAsync(int operation, long due, long start, CancellationToken cancellationToken)
    {
        try
        {
            var completion = await operations.LaunchAsync(operation, due, cancellationToken);
            await completion;
        }
        catch (Exception e)
        {
            // Whatever an operation throws is a failed operation, and the load continues.
            return Fail(e, operation, due, start);
        }

        return Complete(operation, due, start);
    }

    /// <summary>Records the end of an operation that no caller waits for.</summary>
    protected async Task FollowAsync(Task completion, int operation, long due, long start)
    {
        try
        {
            await completion;
        }
        catch (Exception e)
        {
            Fail(e, operation, due, start);
            return;
        }

        Complete(operation, due, start);
    }

    /// <summary>Records the failure of an operation.</summary>
    /// <returns>When it failed.</returns>
    protected long Fail(Exception error, int operation, long due, long start)
    {
        var end = recorder.Fail(error, due, start);
        operations.OnEnd(operation, due, start, end, completed: false);
        return end;
    }

    private long Complete(int operation, long due, long start)
    {
        var end = recorder.Complete(due, start);
        operations.OnEnd(operation, due, start, end, completed: true);
        return end;
    }

    private async Task EndAsync(CancellationToken cancellationToken)
    {
        await RunAsync(cancellationToken);
        await recorder.WhenIdleAsync();
    }
}

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Starts operations on a schedule. A dedicated thread reads the clock about once a millisecond and passes everything that is
/// due to the pool. It credits elapsed time and not iterations, so a pause of the process shows as lag and lowers no rate. When
/// all callers are busy an arrival waits for one, and is dropped when it waits too long.
/// </summary>
internal sealed class OpenLoad(
    OperationSet operations,
    ArrivalTimes arrivals,
    int mostCallers,
    LoadRecorder recorder,
    DriverOptions options
) : LoadDriver(operations, recorder)
{
    /// <summary>Rare enough to cost nothing, and often enough to give up in time.</summary>
    private const int ArrivalsPerCheck = 1_024;

    private readonly Queue<long> _waiting = new();
    private readonly Lock _gate = new();
    private int _busy;
    private int _handedOver;
    private int _callers;

    /// <summary>The largest number of callers that were busy at the same time.</summary>
    public int Callers => Volatile.Read(ref _callers);

    /// <summary>Whether it was stopped as futile before its end.</summary>
    public bool GivenUp { get; private set; }

    public override int Offered => arrivals.Taken;

    /// <summary>Returns when every arrival was started or dropped; operations may still run.</summary>
    /// <exception cref="OperationCanceledException">The token fired; nothing more is started.</exception>
    public override async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Task.Factory.StartNew(() => Pace(cancellationToken), cancellationToken, LongRunning, TaskScheduler.Default);

            // On a busy machine, an arrival that was passed to the pool or to a busy caller may not have started yet.
            while (Volatile.Read(ref _handedOver) > 0)
                await Task.Delay(1, cancellationToken);
        }
        finally
        {
            Stop();
        }
    }

    public override void Stop()
    {
        lock (_gate)
        {
            base.Stop();
            while (_waiting.TryDequeue(out var due))
                Recorder.Drop(due);
        }
    }

    private void Pace(CancellationToken cancellationToken)
    {
        while (!GivenUp && !IsStopped && (arrivals.NextDue is not null || AnyWaiting()))
        {
            cancellationToken.ThrowIfCancellationRequested();
            while (!GivenUp && !IsStopped && arrivals.NextDue is { } due && due <= Recorder.Clock.GetTimestamp())
            {
                // Checked here too: with a rate that nobody can sustain, this loop never ends.
                cancellationToken.ThrowIfCancellationRequested();
                arrivals.Take();
                Arrive(due, cancellationToken);
                if (arrivals.Taken % ArrivalsPerCheck == 0)
                    DropWhatWaitsTooLong();
            }

            DropWhatWaitsTooLong();
            options.Pause();
        }
    }

    private void Arrive(long due, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (IsStopped)
            {
                Recorder.Drop(due);
                return;
            }

            // Nobody is overtaken: a caller becomes free only when nothing waits.
            if (!TakeCaller())
            {
                _waiting.Enqueue(due);
                return;
            }

            Interlocked.Increment(ref _handedOver);
        }

        ThreadPool.UnsafeQueueUserWorkItem(new Arrival(this, due, cancellationToken), preferLocal: false);
    }

    /// <summary>The caller must hold the gate.</summary>
    private bool TakeCaller()
    {
        if (_busy >= mostCallers)
            return false;
        _callers = Math.Max(_callers, ++_busy);
        return true;
    }

    private async Task CallAsync(long due, CancellationToken cancellationToken)
    {
        // Due when a caller became free for it: immediately for the first, which was queued the moment it was due.
        var free = due;
        do
        {
            var start = Recorder.Clock.GetTimestamp();
            var operation = Recorder.Start(due, Math.Max(due, free), start, options.LateAfter);
            Interlocked.Decrement(ref _handedOver);
            free = await OperateAsync(operation, due, start, cancellationToken);
        } while (TryTakeWaiting(out due));
    }

    /// <summary>Whether an arrival waits for the caller, which otherwise becomes free.</summary>
    private bool TryTakeWaiting(out long due)
    {
        lock (_gate)
        {
            DropOverdue();
            if (_waiting.TryDequeue(out due))
            {
                Interlocked.Increment(ref _handedOver);
                return true;
            }

            _busy--;
            return false;
        }
    }

    private void DropWhatWaitsTooLong()
    {
        lock (_gate)
            DropOverdue();
        GivenUp = Recorder.Dropped > Math.Max(1, options.GiveUpShare * Operations.Count);
    }

    /// <summary>The caller must hold the gate.</summary>
    private void DropOverdue()
    {
        while (_waiting.TryPeek(out var due) && Stopwatch.GetElapsedTime(due, Recorder.Clock.GetTimestamp()) > options.DropAfter)
        {
            _waiting.Dequeue();
            Recorder.Drop(due);
        }
    }

    private bool AnyWaiting()
    {
        lock (_gate)
            return _waiting.Count > 0;
    }

    private sealed class Arrival(OpenLoad load, long due, CancellationToken cancellationToken) : IThreadPoolWorkItem
    {
        /// <summary>Counts and times itself.</summary>
        public void Execute() => _ = load.CallAsync(due, cancellationToken);
    }
}

namespace Serdica.Perf.Measurement.Driving;

/// <summary>Records what happened to the operations of one load, and when. Every load uses it. Thread-safe.</summary>
internal sealed class LoadRecorder
{
    private readonly OperationLog? _log;
    private readonly long[] _starts;
    private TaskCompletionSource? _idle;
    private int _started;
    private int _completed;
    private int _failed;
    private int _late;
    private int _dropped;
    private long _lastStart;
    private long _lastCompletion;
    private long _lastEnd;
    private volatile bool _closed;

    /// <param name="clock">The system's clock by default; another one must have the stopwatch's frequency.</param>
    /// <param name="log">Records each operation; null means none.</param>
    /// <param name="keptStarts">The number of operations whose start is kept, from the first; see <see cref="Starts"/>.</param>
    public LoadRecorder(TimeProvider? clock = null, OperationLog? log = null, int keptStarts = 0)
    {
        _log = log;
        _starts = new long[keptStarts];
        Clock = clock ?? TimeProvider.System;
        Begin = _lastStart = _lastCompletion = _lastEnd = Clock.GetTimestamp();
        _log?.Begin(Begin);
        Errors = new(Begin);
    }

    /// <summary>The clock of all readings.</summary>
    public TimeProvider Clock { get; }

    /// <summary>When the load started, as a reading of the clock.</summary>
    public long Begin { get; }

    public LoadErrors Errors { get; }

    /// <summary>From the call to the completion.</summary>
    public ConcurrentLatencyRecorder Service { get; } = new();

    /// <summary>From the intended start to the completion.</summary>
    public ConcurrentLatencyRecorder Response { get; } = new();

    /// <summary>From the intended start to the call.</summary>
    public ConcurrentLatencyRecorder ScheduleLag { get; } = new();

    /// <summary>The generator's own part of the schedule lag: from the moment when a call was due and a caller free, to the call.</summary>
    public ConcurrentLatencyRecorder GeneratorLag { get; } = new();

    /// <summary>From the intended start to the failure; recorded separately, because a quick failure is not a fast operation.</summary>
    public ConcurrentLatencyRecorder UntilFailure { get; } = new();

    public ThroughputTimeline Timeline { get; } = new();

    /// <summary>Operations that have arrived and not ended, over time: an arrival counts from its intended start.</summary>
    public BacklogTimeline Backlog { get; } = new();

    /// <summary>Readings of the clock at the start of the operations, by number; zero for one that was not started.</summary>
    public IReadOnlyList<long> Starts => _starts;

    public int Started => Volatile.Read(ref _started);

    public int Completed => Volatile.Read(ref _completed);

    public int Failed => Volatile.Read(ref _failed);

    public int Late => Volatile.Read(ref _late);

    public int Dropped => Volatile.Read(ref _dropped);

    public int InFlight => Started - Completed - Failed;

    public TimeSpan ToLastStart => Elapsed(Volatile.Read(ref _lastStart));

    public TimeSpan ToLastCompletion => Elapsed(LastCompletion);

    public long LastCompletion => Volatile.Read(ref _lastCompletion);

    /// <summary>Like <see cref="LastCompletion"/>, but an operation that failed counts too.</summary>
    public long LastEnd => Volatile.Read(ref _lastEnd);

    /// <summary>From the start to a reading of the clock.</summary>
    public TimeSpan Elapsed(long timestamp) => Stopwatch.GetElapsedTime(Begin, timestamp);

    /// <summary>Records an arrival that is never started.</summary>
    public void Drop(long due)
    {
        if (_closed)
            return;
        _log?.Drop(due);
        Backlog.Arrive(Elapsed(due));
        Backlog.End(Elapsed(Clock.GetTimestamp()));
        Interlocked.Increment(ref _dropped);
    }

    /// <param name="ready">When the call was due and a caller free for it.</param>
    /// <param name="lateAfter">The lag above which the start counts as late; null when nothing can be late.</param>
    /// <returns>The operation's number, from 0 without gaps.</returns>
    public int Start(long due, long ready, long start, TimeSpan? lateAfter = null)
    {
        ScheduleLag.Record(due, start);
        Backlog.Arrive(Elapsed(due));
        GeneratorLag.Record(ready, Math.Max(ready, start));
        if (lateAfter is { } limit && Stopwatch.GetElapsedTime(due, start) > limit)
            Interlocked.Increment(ref _late);
        Raise(ref _lastStart, start);
        var operation = Interlocked.Increment(ref _started) - 1;
        if (operation < _starts.Length)
            _starts[operation] = start;
        return operation;
    }

    /// <returns>When it completed.</returns>
    public long Complete(long due, long start)
    {
        var end = Clock.GetTimestamp();
        if (_closed)
            return end;

        Service.Record(start, end);
        Response.Record(due, end);
        var response = Stopwatch.GetElapsedTime(due, end);
        Timeline.Record(Elapsed(end), response);
        Backlog.End(Elapsed(end), response);
        _log?.Record(due, start, end, OperationEnd.Completed);
        Raise(ref _lastCompletion, end);
        Raise(ref _lastEnd, end);
        Interlocked.Increment(ref _completed);
        SignalWhenIdle();
        return end;
    }

    /// <returns>When it failed.</returns>
    public long Fail(Exception error, long due, long start)
    {
        var end = Clock.GetTimestamp();
        if (_closed)
            return end;

        _log?.Record(due, start, end, OperationEnd.Failed);
        Errors.Add(error);
        UntilFailure.Record(due, end);
        Backlog.End(Elapsed(end));
        Raise(ref _lastEnd, end);
        Interlocked.Increment(ref _failed);
        SignalWhenIdle();
        return end;
    }

    /// <summary>A thread that was interrupted between its reading of the clock and this is not the latest any more.</summary>
    private static void Raise(ref long latest, long at)
    {
        var seen = Volatile.Read(ref latest);
        while (seen < at)
        {
            var found = Interlocked.CompareExchange(ref latest, at, seen);
            seen = found == seen ? at : found;
        }
    }

    /// <summary>Completes when every started operation has ended. Called while nothing is started; the last call counts.</summary>
    public Task WhenIdleAsync()
    {
        var idle = new TaskCompletionSource(RunContinuationsAsynchronously);

        // A full fence: either the last operation sees this, or this sees its end.
        Interlocked.Exchange(ref _idle, idle);
        if (InFlight == 0)
            idle.TrySetResult();
        return idle.Task;
    }

    /// <summary>Returns when every started operation has ended, or the limit has passed.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task DrainAsync(TimeSpan limit, CancellationToken cancellationToken)
    {
        // Operations in flight when the limit has passed count as running.
        await WhenIdleAsync().WaitAsync(limit, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>Nothing is recorded from now on: operations that still run are abandoned.</summary>
    public void Close() => _closed = true;

    /// <summary>What was recorded; closes the recorder. Operations that have not ended are abandoned.</summary>
    /// <param name="offered">Operations that the driver took from its schedule or its set, by the driver's own count.</param>
    public LoadOutcome Outcome(int offered, TimeSpan window, long end)
    {
        Close();
        return new()
        {
            Offered = offered,
            Started = Started,
            Completed = Completed,
            Failed = Failed,
            Stalled = InFlight > 0,
            Window = window,
            EndTimestamp = end,
            ServiceTime = Service.Snapshot(),
            ResponseTime = Response.Snapshot(),
            UntilFailure = UntilFailure.Snapshot(),
            ScheduleLag = ScheduleLag.Snapshot(),
            GeneratorLag = GeneratorLag.Snapshot(),
            Late = Late,
            Dropped = Dropped,
            StartTimestamps = Starts,
            Timeline = Timeline,
            Errors = Errors.First,
            ErrorsByCause = Errors.Snapshot(),
        };
    }

    private void SignalWhenIdle()
    {
        if (Volatile.Read(ref _idle) is { } idle && InFlight == 0)
            idle.TrySetResult();
    }
}

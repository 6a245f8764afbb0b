using System.Diagnostics;
using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>What happened to the operations of one step, and when. Thread-safe.</summary>
internal sealed class StepRecorder : ILoadCounts
{
    private readonly OperationLog? _log;
    private int _started;
    private int _completed;
    private int _failed;
    private int _late;
    private int _dropped;
    private long _lastStart;
    private long _lastEnd;

    /// <param name="clock">Of the system by default; another must have the stopwatch's frequency.</param>
    /// <param name="log">Takes each operation; null is none.</param>
    public StepRecorder(TimeProvider? clock = null, OperationLog? log = null)
    {
        _log = log;
        Clock = clock ?? TimeProvider.System;
        Begin = _lastStart = _lastEnd = Clock.GetTimestamp();
        _log?.Begin(Begin);
        Errors = new(Begin);
    }

    /// <summary>Whose readings all times are.</summary>
    public TimeProvider Clock { get; }

    /// <summary>Reading of the clock.</summary>
    public long Begin { get; }

    public StepErrors Errors { get; }

    /// <summary>From the call to the completion.</summary>
    public ConcurrentLatencyRecorder Service { get; } = new();

    /// <summary>From the intended start to the completion.</summary>
    public ConcurrentLatencyRecorder Response { get; } = new();

    /// <summary>From the intended start to the call.</summary>
    public ConcurrentLatencyRecorder ScheduleLag { get; } = new();

    /// <summary>The part of the schedule lag that is the generator's own: from when a call was due and a user free to the call.</summary>
    public ConcurrentLatencyRecorder GeneratorLag { get; } = new();

    public ThroughputTimeline Timeline { get; } = new();

    public int Started => Volatile.Read(ref _started);

    public int Completed => Volatile.Read(ref _completed);

    public int Failed => Volatile.Read(ref _failed);

    public int Late => Volatile.Read(ref _late);

    public int Dropped => Volatile.Read(ref _dropped);

    public int InFlight => Started - Completed - Failed;

    public TimeSpan ToLastStart => Stopwatch.GetElapsedTime(Begin, Volatile.Read(ref _lastStart));

    public TimeSpan ToLastEnd => Stopwatch.GetElapsedTime(Begin, Volatile.Read(ref _lastEnd));

    public long LastEnd => Volatile.Read(ref _lastEnd);

    public void Drop(long due)
    {
        _log?.Drop(due);
        Interlocked.Increment(ref _dropped);
    }

    /// <returns>The operation's number, from 0 without gap.</returns>
    public int Start(long due, long start, TimeSpan lateAfter)
    {
        ScheduleLag.Record(due, start);
        if (Stopwatch.GetElapsedTime(due, start) > lateAfter)
            Interlocked.Increment(ref _late);
        Volatile.Write(ref _lastStart, start);
        return Interlocked.Increment(ref _started) - 1;
    }

    public void Complete(long due, long start)
    {
        var end = Clock.GetTimestamp();
        Service.Record(start, end);
        Response.Record(due, end);
        Timeline.Record(Stopwatch.GetElapsedTime(Begin, end), Stopwatch.GetElapsedTime(due, end));
        _log?.Record(due, start, end, OperationEnd.Completed);
        Volatile.Write(ref _lastEnd, end);
        Interlocked.Increment(ref _completed);
    }

    public void Fail(Exception error, long due, long start)
    {
        _log?.Record(due, start, Stopwatch.GetTimestamp(), OperationEnd.Failed);
        Errors.Add(error);
        Interlocked.Increment(ref _failed);
    }

    /// <summary>What has been recorded, when nothing more is begun.</summary>
    /// <param name="window">Over which rates are.</param>
    /// <param name="completed">How many have completed by now.</param>
    /// <param name="failed">How many have failed by now.</param>
    /// <param name="running">How many have not ended; they are given up.</param>
    public LoadOutcome Outcome(TimeSpan window, int completed, int failed, int running) => new()
    {
        Started = completed + failed + running,
        Completed = completed,
        Failed = failed,
        Stalled = running > 0,
        Window = window,
        EndTimestamp = LastEnd,
        ServiceTime = Service.Snapshot(),
        ResponseTime = Response.Snapshot(),
        ScheduleLag = ScheduleLag.Snapshot(),
        Late = Late,
        Dropped = Dropped,
        StartTimestamps = [],
        Timeline = Timeline,
        Errors = [.. Errors.Snapshot().Select(error => $"{error.Count} times {error.Kind} in '{error.Operation}': {error.FirstMessage}")],
    };
}

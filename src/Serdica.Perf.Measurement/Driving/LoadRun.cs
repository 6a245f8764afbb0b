using System.Diagnostics;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Drives one <see cref="OperationSet"/> once, by the rules of a <see cref="LoadPlan"/>, and times each operation to its
/// own completion.
/// </summary>
/// <remarks>
/// Nothing waits for a single operation but its caller: when the load stalls or is cancelled, callers begin no further
/// operation and the rest is left to the set's owner, who stops the hosts that would complete it.
/// In an open load each caller takes the next arrival, waits until it is due, and stays with it to its completion. While
/// callers are free every arrival begins at its time; when all are busy the next one begins late, and is timed from when it
/// was due.
/// </remarks>
public sealed class LoadRun(OperationSet operations, LoadPlan plan) : ILoadCounts
{
    private const int KeptErrors = 5;
    private static readonly TimeSpan StallCheckInterval = TimeSpan.FromMilliseconds(200);

    private readonly long[] _starts = plan.Model == LoadModel.Open || plan.MaxDuration is not null ? [] : new long[operations.Count];
    private readonly ConcurrentLatencyRecorder _service = new();
    private readonly ConcurrentLatencyRecorder? _response = plan.Model == LoadModel.Open ? new() : null;
    private readonly ConcurrentLatencyRecorder? _lag = plan.Model == LoadModel.Open ? new() : null;
    private readonly ThroughputTimeline _timeline = new();
    private readonly List<string> _errors = [];
    private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ArrivalSchedule? _schedule;
    private long _begin;
    private long _deadline = long.MaxValue;
    private long _end;
    private int _taken;
    private int _arrived;
    private int _late;
    private int _dropped;
    private int _expected = operations.Count;
    private int _completed;
    private int _failed;
    private int _done;
    private volatile bool _stopped;

    /// <inheritdoc/>
    public int Started => _schedule is null ? Math.Min(Volatile.Read(ref _taken), operations.Count) : Volatile.Read(ref _arrived);

    /// <inheritdoc/>
    public int Completed => Volatile.Read(ref _completed);

    /// <inheritdoc/>
    public int Failed => Volatile.Read(ref _failed);

    /// <summary>Response times of what has completed so far; may be read while the load runs.</summary>
    public LatencyHistogram SnapshotResponseTime() => (_response ?? _service).Snapshot();

    /// <summary>Returns when all operations are done, or the load has stalled.</summary>
    /// <exception cref="OperationCanceledException">The token fired; no caller begins another operation.</exception>
    public async Task<LoadOutcome> RunAsync(CancellationToken cancellationToken)
    {
        // Open loads last, and may be watched for memory that grows.
        if (plan.Model == LoadModel.Open)
            _timeline.Reserve();
        _begin = _end = Stopwatch.GetTimestamp();
        plan.Log?.Begin(_begin);
        if (plan.MaxDuration is { } limit)
            _deadline = _begin + (long)(limit.TotalSeconds * Stopwatch.Frequency);
        if (plan.Model == LoadModel.Open)
            _schedule = new ArrivalSchedule(_begin, plan.PerSecond);
        var callers = Enumerable.Range(0, Math.Min(plan.Callers, operations.Count))
            .Select(_ => Task.Run(() => CallAsync(cancellationToken), CancellationToken.None))
            .ToArray();
        var ended = Task.WhenAll(Task.WhenAll(callers).ContinueWith(
            _ => CallersEnded(), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default), _finished.Task);

        var stalled = !await WaitAsync(ended, cancellationToken).ConfigureAwait(false);
        return Outcome(stalled);
    }

    private async Task CallAsync(CancellationToken cancellationToken)
    {
        while (TryTake(out var operation))
        {
            long? due = null;
            if (_schedule is not null)
            {
                if (!await ArriveAsync(_schedule, operation, cancellationToken).ConfigureAwait(false))
                    continue;

                // Arrivals may be dropped, so operations are numbered as they begin.
                due = _schedule.DueAt(operation);
                operation = Interlocked.Increment(ref _arrived) - 1;
            }

            var start = Begin(operation, due);
            try
            {
                var completion = await operations.LaunchAsync(operation, cancellationToken).ConfigureAwait(false);
                if (plan.CallersWait)
                    await completion.ConfigureAwait(false);
                else if (!completion.IsCompletedSuccessfully)
                {
                    // Not awaited here, that is what a wave is; it counts itself when it ends.
                    _ = CompleteLaterAsync(completion, start);
                    continue;
                }

                Complete(due ?? start, start);
            }
            catch (Exception e)
            {
                // Whatever an operation throws is a failed operation, and the load goes on.
                Fail(e, due ?? start, start);
            }
        }
    }

    /// <summary>Waits for an arrival's time.</summary>
    /// <returns>False when it is not to be begun any more.</returns>
    private async ValueTask<bool> ArriveAsync(ArrivalSchedule schedule, int arrival, CancellationToken cancellationToken)
    {
        await schedule.WaitAsync(arrival, cancellationToken).ConfigureAwait(false);
        if (_stopped)
            return false;

        var lag = Stopwatch.GetElapsedTime(schedule.DueAt(arrival));
        if (lag > plan.DropAfter)
        {
            Interlocked.Increment(ref _dropped);
            plan.Log?.Drop(schedule.DueAt(arrival));
            return false;
        }

        if (lag > plan.LateAfter)
            Interlocked.Increment(ref _late);
        return true;
    }

    private long Begin(int operation, long? due)
    {
        var start = Stopwatch.GetTimestamp();
        if (due is { } intended)
            _lag!.Record(intended, start);
        else if (_starts.Length > 0)
            _starts[operation] = start;
        return start;
    }

    private async Task CompleteLaterAsync(Task completion, long start)
    {
        try
        {
            await completion.ConfigureAwait(false);
            Complete(start, start);
        }
        catch (Exception e)
        {
            Fail(e, start, start);
        }
    }

    private bool TryTake(out int operation)
    {
        operation = 0;
        if (_stopped || (_deadline != long.MaxValue && Stopwatch.GetTimestamp() > _deadline))
            return false;

        operation = Interlocked.Increment(ref _taken) - 1;
        return operation < operations.Count;
    }

    private void Complete(long wanted, long start)
    {
        var end = Stopwatch.GetTimestamp();
        _service.Record(start, end);
        _response?.Record(wanted, end);
        _timeline.Record(Stopwatch.GetElapsedTime(_begin, end), Stopwatch.GetElapsedTime(wanted, end));
        plan.Log?.Record(wanted, start, end, OperationEnd.Completed);
        Interlocked.Increment(ref _completed);
        Done(end);
    }

    private void Fail(Exception error, long wanted, long start)
    {
        if (_stopped)
            return;

        lock (_errors)
        {
            if (_errors.Count < KeptErrors)
                _errors.Add($"{error.GetType().Name}: {error.Message}");
        }

        var end = Stopwatch.GetTimestamp();
        plan.Log?.Record(wanted, start, end, OperationEnd.Failed);
        Interlocked.Increment(ref _failed);
        Done(end);
    }

    private void Done(long end)
    {
        // Written by whoever completes; the last one to do so is the last completion, give or take a race of microseconds.
        Volatile.Write(ref _end, end);
        if (Interlocked.Increment(ref _done) == Volatile.Read(ref _expected))
            _finished.TrySetResult();
    }

    /// <summary>With a time limit, or when arrivals were dropped, fewer operations have been begun than there are.</summary>
    private void CallersEnded()
    {
        Interlocked.Exchange(ref _expected, Started);
        if (Volatile.Read(ref _done) == _expected)
            _finished.TrySetResult();
    }

    /// <returns>False when the load has stalled.</returns>
    private async Task<bool> WaitAsync(Task ended, CancellationToken cancellationToken)
    {
        var seen = -1;
        var seenAt = Stopwatch.GetTimestamp();
        try
        {
            while (await Task.WhenAny(ended, Task.Delay(StallCheckInterval, cancellationToken)).ConfigureAwait(false) != ended)
            {
                cancellationToken.ThrowIfCancellationRequested();
                var done = Volatile.Read(ref _done);
                if (done != seen)
                    (seen, seenAt) = (done, Stopwatch.GetTimestamp());
                else if (Stopwatch.GetElapsedTime(seenAt) > plan.StallLimit)
                    return false;
            }

            // Callers that were cancelled while they waited for their time have ended, too.
            cancellationToken.ThrowIfCancellationRequested();
            return true;
        }
        finally
        {
            _stopped = true;
        }
    }

    private LoadOutcome Outcome(bool stalled)
    {
        var end = Volatile.Read(ref _end);
        lock (_errors)
        {
            return new()
            {
                Started = Started,
                Completed = Completed,
                Failed = Failed,
                Stalled = stalled,
                Window = Stopwatch.GetElapsedTime(_begin, end),
                EndTimestamp = end,
                ServiceTime = _service.Snapshot(),
                ResponseTime = SnapshotResponseTime(),
                ScheduleLag = _lag?.Snapshot(),
                Late = Volatile.Read(ref _late),
                Dropped = Volatile.Read(ref _dropped),
                StartTimestamps = _starts,
                Timeline = _timeline,
                Errors = [.. _errors],
            };
        }
    }
}

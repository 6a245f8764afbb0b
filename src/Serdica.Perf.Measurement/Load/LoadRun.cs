using System.Diagnostics;
using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.Load;

/// <summary>
/// Drives one <see cref="OperationSet"/> once, by the rules of a <see cref="LoadPlan"/>, and times each operation to its
/// own completion.
/// </summary>
/// <remarks>
/// Nothing waits for a single operation but its caller: when the load stalls or is cancelled, callers begin no further
/// operation and the rest is left to the set's owner, who stops the hosts that would complete it.
/// </remarks>
public sealed class LoadRun(OperationSet operations, LoadPlan plan)
{
    private const int KeptErrors = 5;
    private static readonly TimeSpan StallCheckInterval = TimeSpan.FromMilliseconds(200);

    private readonly long[] _starts = new long[operations.Count];
    private readonly ConcurrentLatencyRecorder _service = new();
    private readonly ThroughputTimeline _timeline = new();
    private readonly List<string> _errors = [];
    private readonly TaskCompletionSource _finished = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _begin;
    private long _deadline = long.MaxValue;
    private long _end;
    private int _taken;
    private int _expected = operations.Count;
    private int _completed;
    private int _failed;
    private int _done;
    private volatile bool _stopped;

    /// <summary>Operations that a caller has begun. May be read while the load runs.</summary>
    public int Started => Math.Min(Volatile.Read(ref _taken), operations.Count);

    /// <summary>May be read while the load runs.</summary>
    public int Completed => Volatile.Read(ref _completed);

    /// <summary>May be read while the load runs.</summary>
    public int Failed => Volatile.Read(ref _failed);

    /// <summary>Returns when all operations are done, or the load has stalled.</summary>
    /// <exception cref="OperationCanceledException">The token fired; no caller begins another operation.</exception>
    public async Task<LoadOutcome> RunAsync(CancellationToken cancellationToken)
    {
        _begin = _end = Stopwatch.GetTimestamp();
        if (plan.MaxDuration is { } limit)
            _deadline = _begin + (long)(limit.TotalSeconds * Stopwatch.Frequency);
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
            var start = Stopwatch.GetTimestamp();
            _starts[operation] = start;
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

                Complete(start);
            }
            catch (Exception e)
            {
                // Whatever an operation throws is a failed operation, and the load goes on.
                Fail(e);
            }
        }
    }

    private async Task CompleteLaterAsync(Task completion, long start)
    {
        try
        {
            await completion.ConfigureAwait(false);
            Complete(start);
        }
        catch (Exception e)
        {
            Fail(e);
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

    private void Complete(long start)
    {
        var end = Stopwatch.GetTimestamp();
        _service.Record(start, end);
        _timeline.Record(Stopwatch.GetElapsedTime(_begin, end), Stopwatch.GetElapsedTime(start, end));
        Interlocked.Increment(ref _completed);
        Done(end);
    }

    private void Fail(Exception error)
    {
        if (_stopped)
            return;

        lock (_errors)
        {
            if (_errors.Count < KeptErrors)
                _errors.Add($"{error.GetType().Name}: {error.Message}");
        }

        Interlocked.Increment(ref _failed);
        Done(Stopwatch.GetTimestamp());
    }

    private void Done(long end)
    {
        // Written by whoever completes; the last one to do so is the last completion, give or take a race of microseconds.
        Volatile.Write(ref _end, end);
        if (Interlocked.Increment(ref _done) == Volatile.Read(ref _expected))
            _finished.TrySetResult();
    }

    /// <summary>With a time limit fewer operations may have been begun than there are.</summary>
    private void CallersEnded()
    {
        Interlocked.Exchange(ref _expected, Math.Min(Volatile.Read(ref _taken), operations.Count));
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
                StartTimestamps = _starts,
                Timeline = _timeline,
                Errors = [.. _errors],
            };
        }
    }
}

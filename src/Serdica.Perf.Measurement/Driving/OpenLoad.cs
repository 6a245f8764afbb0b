using System.Diagnostics;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Begins operations when a schedule says so. A thread of its own looks at the clock about once a millisecond and hands all
/// that is due to the pool: what is credited is elapsed time and not turns of a loop, so that a pause of the process is made
/// up for and seen as lag. When the most users are busy an arrival waits for one, and is dropped when it waits too long.
/// </summary>
internal sealed class OpenLoad(OperationSet operations, ArrivalTimes arrivals, LoadStep step, StepRecorder recorder, DriverOptions options)
{
    private readonly Queue<long> _waiting = new();
    private readonly Lock _gate = new();
    private int _busy;
    private int _handedOver;
    private int _users = step.MinUsers;
    private volatile bool _stopped;

    /// <summary>Users that there were at the end, the first ones included.</summary>
    public int Users => Volatile.Read(ref _users);

    /// <summary>Whether it was given up before its end.</summary>
    public bool Hopeless { get; private set; }

    /// <summary>Returns when every arrival was begun or dropped; begun ones may still run.</summary>
    /// <exception cref="OperationCanceledException">The token fired; nothing more is begun.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Task.Factory.StartNew(
                () => Pace(cancellationToken), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default).ConfigureAwait(false);

            // Handed to the pool is not yet begun, on a machine that is busy.
            while (Volatile.Read(ref _handedOver) > 0)
                await Task.Delay(1, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Stop();
        }
    }

    private void Pace(CancellationToken cancellationToken)
    {
        while (!Hopeless && (arrivals.NextDue is not null || AnyWaiting()))
        {
            cancellationToken.ThrowIfCancellationRequested();
            while (arrivals.NextDue is { } due && due <= recorder.Clock.GetTimestamp())
            {
                // Here too: a rate that nobody can hold never lets this loop end.
                cancellationToken.ThrowIfCancellationRequested();
                arrivals.Take();
                Arrive(due, cancellationToken);
            }

            DropWhatWaitsTooLong();
            options.Pause();
        }
    }

    private void Arrive(long due, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (_waiting.Count > 0 || !TakeUser())
            {
                _waiting.Enqueue(due);
                return;
            }
        }

        Interlocked.Increment(ref _handedOver);
        ThreadPool.UnsafeQueueUserWorkItem(new Arrival(this, due, cancellationToken), preferLocal: false);
    }

    /// <summary>Held by the gate.</summary>
    private bool TakeUser()
    {
        if (_busy >= step.MaxUsers)
            return false;
        _users = Math.Max(_users, ++_busy);
        return true;
    }

    private async Task UseAsync(long due, CancellationToken cancellationToken)
    {
        // Due when a user was free for it: at once for the first, which was queued the moment it was due.
        var ready = due;
        while (true)
        {
            var start = recorder.Clock.GetTimestamp();
            recorder.GeneratorLag.Record(ready, Math.Max(ready, start));
            var operation = recorder.Start(due, start, options.LateAfter);
            try
            {
                var completion = await operations.LaunchAsync(operation, cancellationToken).ConfigureAwait(false);
                await completion.ConfigureAwait(false);
                recorder.Complete(due, start);
            }
            catch (Exception e)
            {
                // Whatever an operation throws is a failed operation, and the load goes on.
                recorder.Fail(e, due, start);
            }

            lock (_gate)
            {
                if (_stopped || !_waiting.TryDequeue(out due))
                {
                    _busy--;
                    return;
                }
            }

            ready = recorder.Clock.GetTimestamp();
        }
    }

    private void DropWhatWaitsTooLong()
    {
        lock (_gate)
        {
            while (_waiting.TryPeek(out var due) && Stopwatch.GetElapsedTime(due, recorder.Clock.GetTimestamp()) > options.DropAfter)
            {
                _waiting.Dequeue();
                recorder.Drop(due);
            }
        }

        Hopeless = recorder.Dropped > Math.Max(1, options.HopelessShare * operations.Count);
    }

    private bool AnyWaiting()
    {
        lock (_gate)
            return _waiting.Count > 0;
    }

    private void Stop()
    {
        lock (_gate)
        {
            _stopped = true;
            while (_waiting.TryDequeue(out var due))
                recorder.Drop(due);
        }
    }

    private sealed class Arrival(OpenLoad load, long due, CancellationToken cancellationToken) : IThreadPoolWorkItem
    {
        /// <summary>Counts and times itself.</summary>
        public void Execute()
        {
            _ = load.UseAsync(due, cancellationToken);
            Interlocked.Decrement(ref load._handedOver);
        }
    }
}

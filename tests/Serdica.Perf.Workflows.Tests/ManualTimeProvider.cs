namespace Serdica.Perf.Workflows.Tests;

/// <summary>A clock that stands still until it is advanced; timers fire on the way, in order of their time.</summary>
internal sealed class ManualTimeProvider : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private int _made;
    private DateTimeOffset _now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public int TimersMade => Volatile.Read(ref _made);

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow()
    {
        lock (_gate)
            return _now;
    }

    public override long GetTimestamp() => GetUtcNow().UtcTicks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        // As strict as the system's timers.
        ArgumentOutOfRangeException.ThrowIfGreaterThan(dueTime.TotalMilliseconds, uint.MaxValue - 1);
        var timer = new ManualTimer(this, () => callback(state), period);
        timer.Change(dueTime, period);
        Interlocked.Increment(ref _made);
        return timer;
    }

    public void Advance(TimeSpan by)
    {
        var end = GetUtcNow() + by;
        while (true)
        {
            ManualTimer? next;
            lock (_gate)
            {
                next = _timers.Where(timer => timer.Due <= end).MinBy(timer => timer.Due);
                _now =
                    next?.Due > _now ? next.Due
                    : next is null ? end
                    : _now;
                next?.Fired();
            }

            if (next is null)
                return;
            next.Callback();
        }
    }

    private sealed class ManualTimer(ManualTimeProvider clock, Action callback, TimeSpan firstPeriod) : ITimer
    {
        private TimeSpan _period = firstPeriod;

        public DateTimeOffset Due { get; private set; }

        public Action Callback { get; } = callback;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan(dueTime.TotalMilliseconds, uint.MaxValue - 1);
            lock (clock._gate)
            {
                clock._timers.Remove(this);
                _period = period;
                if (dueTime == Timeout.InfiniteTimeSpan)
                    return true;
                Due = clock._now + dueTime;
                clock._timers.Add(this);
                return true;
            }
        }

        public void Fired()
        {
            if (_period > TimeSpan.Zero)
                Due += _period;
            else
                clock._timers.Remove(this);
        }

        public void Dispose()
        {
            lock (clock._gate)
                clock._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}

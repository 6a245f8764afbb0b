namespace Serdica.Perf.Faults.Hosts;

/// <summary>A wall clock that may be wrong. Timers and elapsed times are right, as where the clock of a machine is set.</summary>
internal sealed class ShiftedTime : TimeProvider
{
    private long _ticks;

    /// <value>How far the clock is ahead; negative when it is behind.</value>
    public TimeSpan Shift
    {
        get => new(Volatile.Read(ref _ticks));
        set => Volatile.Write(ref _ticks, value.Ticks);
    }

    public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Shift;
}

namespace Serdica.Perf.Workflows;

/// <summary>
/// When a signal is due: a delay that the database adds to its own clock, or an absolute time.
/// </summary>
public readonly record struct Due
{
    // One number for both: there is a signal for each step of each instance.
    private readonly long _ticks;
    private readonly bool _isTime;

    private Due(long ticks, bool isTime)
    {
        _ticks = ticks;
        _isTime = isTime;
    }

    public static Due Now => default;

    /// <summary>Counted from the write; zero is now, and so is what is below.</summary>
    public TimeSpan Delay => _isTime ? TimeSpan.Zero : new TimeSpan(_ticks);

    /// <summary>Absolute time, compared with the database's clock; <see langword="null"/> where a delay is given.</summary>
    public DateTimeOffset? At => _isTime ? new DateTimeOffset(_ticks, TimeSpan.Zero) : null;

    public static Due After(TimeSpan delay) => new(Math.Max(0, delay.Ticks), isTime: false);

    public static Due AtTime(DateTimeOffset time) => new(time.UtcTicks, isTime: true);

    /// <summary>Whether the signal can be claimed as soon as it is written.</summary>
    public bool IsNow => !_isTime && _ticks == 0;

    /// <summary>The absolute time, given the clock of the database.</summary>
    public DateTimeOffset Resolve(DateTimeOffset databaseNow) => At ?? databaseNow + Delay;
}

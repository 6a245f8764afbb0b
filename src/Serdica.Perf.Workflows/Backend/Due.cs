namespace Serdica.Perf.Workflows;

/// <summary>
/// When a signal is due: a delay that the database adds to its own clock, or an absolute time.
/// </summary>
public readonly record struct Due
{
    /// <summary>Every backend can store what lies between these two, and .NET can read it again.</summary>
    private static readonly long Earliest = DateTimeOffset.UnixEpoch.UtcTicks;
    private static readonly long Latest = new DateTimeOffset(9999, 1, 1, 0, 0, 0, TimeSpan.Zero).UtcTicks;

    // The ticks of a delay, or the complement of a time's, which is below zero: a signal has one, and there is a signal for
    // each step of each instance.
    private readonly long _value;

    private Due(long value) => _value = value;

    public static Due Now => default;

    /// <summary>Counted from the write; zero is now, and so is what is below.</summary>
    public TimeSpan Delay => _value < 0 ? TimeSpan.Zero : new TimeSpan(_value);

    /// <summary>Absolute time, compared with the database's clock; <see langword="null"/> where a delay is given.</summary>
    public DateTimeOffset? At => _value < 0 ? new DateTimeOffset(~_value, TimeSpan.Zero) : null;

    /// <summary>Due this time after the write. A delay over 36,500 days is cut to that.</summary>
    public static Due After(TimeSpan delay) => new(Math.Max(0, Delays.Cut(delay).Ticks));

    /// <summary>
    /// Due at this time. One that was never set (the default value) is now; others are cut to the years 1970 to 9999.
    /// </summary>
    public static Due AtTime(DateTimeOffset time) => time == default ? Now : new(~Math.Clamp(time.UtcTicks, Earliest, Latest));

    /// <summary>Whether the signal can be claimed as soon as it is written.</summary>
    public bool IsNow => _value == 0;

    /// <summary>The absolute time, given the clock of the database.</summary>
    public DateTimeOffset Resolve(DateTimeOffset databaseNow) => At ?? databaseNow + Delay;
}

namespace Serdica.Perf.Workflows;

/// <summary>
/// When a signal is due: a delay that the database adds to its own clock, or an absolute time.
/// </summary>
/// <param name="Delay">Counted from the write; zero is now. Ignored when <paramref name="At"/> is given.</param>
/// <param name="At">Absolute time, compared with the database's clock.</param>
public readonly record struct Due(TimeSpan Delay, DateTimeOffset? At)
{
    public static Due Now => default;

    public static Due After(TimeSpan delay) => new(delay < TimeSpan.Zero ? TimeSpan.Zero : delay, null);

    public static Due AtTime(DateTimeOffset time) => new(TimeSpan.Zero, time);

    /// <summary>Whether the signal can be claimed as soon as it is written.</summary>
    public bool IsNow => At is null && Delay == TimeSpan.Zero;

    /// <summary>The absolute time, given the clock of the database.</summary>
    public DateTimeOffset Resolve(DateTimeOffset databaseNow) => At ?? databaseNow + Delay;
}

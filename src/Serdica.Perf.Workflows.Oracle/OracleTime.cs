namespace Serdica.Perf.Workflows.Oracle;

/// <summary>Times as the database keeps them: microseconds since 1970 in UTC. Rounded up, so that nothing is early.</summary>
internal static class OracleTime
{
    public static long Microseconds(TimeSpan time) => (time.Ticks + TimeSpan.TicksPerMicrosecond - 1) / TimeSpan.TicksPerMicrosecond;

    public static long Microseconds(DateTimeOffset time) => Microseconds(time - DateTimeOffset.UnixEpoch);

    public static DateTimeOffset Time(long microseconds) => DateTimeOffset.UnixEpoch.AddTicks(microseconds * TimeSpan.TicksPerMicrosecond);

    /// <summary>The time until the next signal is due; null for a negative number, which stands for none.</summary>
    public static TimeSpan? Delay(long microseconds) =>
        microseconds < 0 ? null : FromMicroseconds(Math.Min(microseconds, (long)FromDays(1).TotalMicroseconds));
}

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Due times as PostgreSQL stores them, in microseconds: rounded up, for a signal is never early.</summary>
internal static class PostgreSqlTime
{
    public static DateTime? AtOf(Due due) => due.At is { } at ? new DateTime(RoundUp(at.UtcTicks), DateTimeKind.Utc) : null;

    public static TimeSpan DelayOf(Due due) => new(RoundUp(due.Delay.Ticks));

    /// <summary>The last microsecond of the calendar has none above it; the driver would take its end for infinity.</summary>
    private static long RoundUp(long ticks)
    {
        var part = ticks % TimeSpan.TicksPerMicrosecond;
        return part == 0 || ticks > DateTime.MaxValue.Ticks - TimeSpan.TicksPerMicrosecond
            ? ticks - part
            : ticks - part + TimeSpan.TicksPerMicrosecond;
    }
}

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Due times as PostgreSQL stores them, in microseconds: rounded up, for a signal is never early.</summary>
internal static class PostgreSqlTime
{
    public static DateTime? AtOf(Due due) => due.At is { } at ? new DateTime(RoundUp(at.UtcTicks), DateTimeKind.Utc) : null;

    public static NpgsqlInterval DelayOf(Due due) => IntervalOf(due.Delay);

    /// <summary>
    /// Without days, which the driver would make of a <see cref="TimeSpan"/>: PostgreSQL adds days by the calendar, and one of them has 23
    /// or 25 hours where the session's time zone changes its clocks.
    /// </summary>
    public static NpgsqlInterval IntervalOf(TimeSpan span) => new(0, 0, RoundUp(span.Ticks) / TimeSpan.TicksPerMicrosecond);

    /// <summary>The last microsecond of the calendar has none above it; the driver would take its end for infinity.</summary>
    private static long RoundUp(long ticks)
    {
        var part = ticks % TimeSpan.TicksPerMicrosecond;
        return part == 0 || ticks > DateTime.MaxValue.Ticks - TimeSpan.TicksPerMicrosecond
            ? ticks - part
            : ticks - part + TimeSpan.TicksPerMicrosecond;
    }
}

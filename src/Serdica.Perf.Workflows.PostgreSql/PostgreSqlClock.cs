namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The clock of the database, by its last answer and the time since.</summary>
internal sealed class PostgreSqlClock
{
    /// <summary>The clocks of two machines drift apart, and the server may have changed.</summary>
    private static readonly TimeSpan MaxAge = FromSeconds(10);

    /// <summary>A batch that may have waited for others sets the clock only if its answer came within this time.</summary>
    private static readonly TimeSpan MaxWait = FromMilliseconds(50);

    private Reading? _last;

    /// <summary>For <see cref="Set"/>.</summary>
    public long Timestamp => Stopwatch.GetTimestamp();

    /// <summary>Fast by no more than the question took to reach the server, or by 50 ms; null when the last answer is too old.</summary>
    public DateTimeOffset? Now =>
        Volatile.Read(ref _last) is { } last && Stopwatch.GetElapsedTime(last.SentAt) is var age && age < MaxAge ? last.Time + age : null;

    /// <param name="mayWait">Whether it may have waited for others before it looked at its clock, as for a business key.</param>
    public void Set(DateTimeOffset time, long sentAt, bool mayWait)
    {
        if (!mayWait || Stopwatch.GetElapsedTime(sentAt) < MaxWait)
            Volatile.Write(ref _last, new Reading(time, sentAt));
    }

    private sealed record Reading(DateTimeOffset Time, long SentAt);
}

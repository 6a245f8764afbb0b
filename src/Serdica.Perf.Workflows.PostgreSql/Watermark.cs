namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// From where a claim looks. Nothing that is due lies far below the last claim, except what was committed late or
/// passed over; a full look once a second finds that. In between the scan starts a little below the newest due
/// time that was claimed, and so leaves out the dead entries at the head of the index.
/// </summary>
internal sealed class Watermark(TimeProvider time)
{
    /// <summary>Longer than a commit usually takes: whoever commits later than this waits for the full look.</summary>
    private static readonly TimeSpan Slack = TimeSpan.FromMilliseconds(200);

    private static readonly TimeSpan FullLookInterval = TimeSpan.FromSeconds(1);

    private long _position;
    private long _lastFullLook = time.GetTimestamp() - (2 * time.TimestampFrequency);

    /// <summary>The due time above which to look; the minimum for a full look.</summary>
    public DateTime Next()
    {
        var last = Volatile.Read(ref _lastFullLook);
        if (time.GetElapsedTime(last) >= FullLookInterval
            && Interlocked.CompareExchange(ref _lastFullLook, time.GetTimestamp(), last) == last)
            return DateTime.MinValue;
        return new DateTime(Volatile.Read(ref _position), DateTimeKind.Utc);
    }

    /// <summary>Signals up to this due time were claimed.</summary>
    public void Claimed(DateTime due)
    {
        var position = (due - Slack).Ticks;
        var seen = Volatile.Read(ref _position);
        while (position > seen)
        {
            var before = Interlocked.CompareExchange(ref _position, position, seen);
            if (before == seen)
                return;
            seen = before;
        }
    }
}

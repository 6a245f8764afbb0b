namespace Serdica.Perf.Workflows;

/// <summary>How far the clock of a host is from that of its database.</summary>
/// <param name="Ahead">Negative when the host's clock is behind.</param>
/// <param name="Uncertainty">The true difference is at most this much more or less than <paramref name="Ahead"/>.</param>
public readonly record struct ClockDifference(TimeSpan Ahead, TimeSpan Uncertainty);

/// <summary>
/// The difference between the clocks of this host and its database, from claims: the database reads its clock between the sending of a
/// claim and its answer. Each claim bounds the difference on both sides, and the bounds of a minute together are close.
/// </summary>
internal sealed class ClockReadings(TimeProvider time)
{
    /// <summary>The clocks of two machines drift apart by up to some milliseconds in a minute.</summary>
    private static readonly TimeSpan MaxAge = FromMinutes(1);

    private static readonly TimeSpan Millisecond = FromMilliseconds(1);

    private readonly Lock _gate = new();
    private TimeSpan _least;
    private TimeSpan _most = TimeSpan.MinValue;
    private long _since;

    /// <summary>Null before the first claim that found something.</summary>
    public ClockDifference? Difference
    {
        get
        {
            lock (_gate)
                return _least > _most ? null : new(_least + ((_most - _least) / 2), (_most - _least) / 2);
        }
    }

    /// <summary>A claim was answered now.</summary>
    /// <param name="sent">When it was sent, by this host's clock.</param>
    /// <param name="database">The database's clock in the answer.</param>
    public void Add(DateTimeOffset sent, DateTimeOffset database)
    {
        var (least, most) = (sent - database, time.GetUtcNow() - database);

        // A database that stores milliseconds has cut off the rest.
        if (database.Ticks % TimeSpan.TicksPerMillisecond == 0)
            least -= Millisecond;
        lock (_gate)
        {
            // Bounds that exclude each other: one of the clocks was set.
            if (least > _most || most < _least || time.GetElapsedTime(_since) > MaxAge)
            {
                (_least, _most, _since) = (least, most, time.GetTimestamp());
                return;
            }

            _least = least > _least ? least : _least;
            _most = most < _most ? most : _most;
        }
    }
}

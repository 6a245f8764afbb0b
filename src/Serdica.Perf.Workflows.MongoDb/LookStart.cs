namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Where looks for what is due start. Deleted keys stay in the index: on DocumentDB until the next vacuum, on MongoDB for 5 minutes.
/// A look over all of them is slow, so it starts a little before what the last one found; only once a second it starts at the first
/// key, for what was committed late. Not thread-safe.
/// </summary>
internal sealed class LookStart(TimeProvider time)
{
    /// <summary>Longer than a commit usually takes: what is committed later than this waits for the full look.</summary>
    private static readonly TimeSpan Slack = FromMilliseconds(200);

    private static readonly TimeSpan FullLookInterval = FromSeconds(1);

    private readonly (long From, long? FullAt)[] _slots = new (long, long?)[Slots.Count];

    /// <param name="full">At the first key in any case.</param>
    public DueKey Of(int[] slots, bool full = false)
    {
        if (!full && !Array.Exists(slots, slot => _slots[slot].FullAt is not { } at || time.GetElapsedTime(at) >= FullLookInterval))
            return DueKey.First(slots.Min(slot => _slots[slot].From));
        foreach (var slot in slots)
            _slots[slot].FullAt = time.GetTimestamp();
        return DueKey.First(long.MinValue);
    }

    /// <summary>A look over these slots has found nothing that is due before this.</summary>
    public void Learn(int[] slots, DateTimeOffset first)
    {
        foreach (var slot in slots)
            _slots[slot].From = (first - Slack).ToUnixTimeMilliseconds();
    }
}

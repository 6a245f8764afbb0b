namespace Serdica.Perf.Workflows;

/// <summary>One instance with its signals, in order of due time, then id.</summary>
internal sealed class InMemoryInstance(InstanceRecord record, DateTimeOffset now)
{
    private readonly long _createdAt = now.UtcTicks;
    private long _updatedAt = now.UtcTicks;

    /// <summary>As the engine wrote it; its times stand beside it, so that a write copies nothing.</summary>
    public InstanceRecord Record { get; private set; } = record;

    public DateTimeOffset UpdatedAt => new(_updatedAt, TimeSpan.Zero);

    public List<Signal> Signals { get; } = new(1);

    /// <summary>Accepted once each, ever.</summary>
    public HashSet<string>? DedupKeys { get; private set; }

    /// <summary>A worker holds it.</summary>
    public bool Claimed { get; set; }

    /// <summary>It stands in the queue of instances with due signals.</summary>
    public bool Queued { get; set; }

    public void Write(InstanceRecord record, DateTimeOffset at)
    {
        Record = record;
        _updatedAt = at.UtcTicks;
    }

    /// <summary>The record with its times, as a database hands it out.</summary>
    public InstanceRecord Read() => Record with { CreatedAt = new(_createdAt, TimeSpan.Zero), UpdatedAt = UpdatedAt };

    public void Add(Signal signal)
    {
        var at = Signals.Count;
        while (at > 0 && (Signals[at - 1].Due.At, Signals[at - 1].Id).CompareTo((signal.Due.At, signal.Id)) > 0)
            at--;
        Signals.Insert(at, signal);
    }

    public bool HasDue(DateTimeOffset now) => Signals.Count > 0 && Signals[0].Due.At <= now;

    /// <summary>
    /// Hands out the due signals that the request asks for; they stay here until the batch is committed.
    /// </summary>
    public ClaimedInstance? Claim(DateTimeOffset now, ClaimRequest request, ref InMemoryClaimRoom room)
    {
        if (Claimed || !HasDue(now))
            return null;
        if (!Record.Status.IsClosed() && request.Unknown.Contains(new(Record.Definition, Record.DefinitionVersion)))
            return null;
        ClaimedInstance? claim = null;
        foreach (var signal in Signals)
        {
            if (signal.Due.At > now || room.IsFull)
                break;
            if (request.SkipActivities && signal.Kind == SignalKind.Activity)
                continue;
            if (claim is null)
            {
                claim = new ClaimedInstance(Record);
                room.Take(Record);
            }

            claim.Signals.Add(signal);
            room.Take(signal);
        }

        Claimed = claim is not null;
        return claim;
    }

    /// <returns>False when the key has been accepted before.</returns>
    public bool AddKey(string dedupKey) => (DedupKeys ??= new(StringComparer.Ordinal)).Add(dedupKey);

    public void RemoveKey(string dedupKey) => DedupKeys?.Remove(dedupKey);

    public void Remove(List<Signal> claimed)
    {
        foreach (var signal in claimed)
            Signals.Remove(signal);
    }

    public void Remove(List<Guid> withdrawn) => Signals.RemoveAll(signal => withdrawn.Contains(signal.Id));

    /// <summary>Prolongs a lease that still runs and has the newest token.</summary>
    public bool Extend(ActivityLease lease, DateTimeOffset now, DateTimeOffset due)
    {
        var at = Signals.FindIndex(signal =>
            signal.Kind == SignalKind.Activity && signal.Id == lease.ActivityId && signal.Attempt == lease.Token
        );
        if (at < 0 || Signals[at].Due.At <= now)
            return false;
        var signal = Signals[at];
        Signals.RemoveAt(at);
        Add(signal with { Due = Due.AtTime(due) });
        return true;
    }
}

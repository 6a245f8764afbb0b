namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What one call holds from its claim until it has written or given up.</summary>
internal sealed class Claim(ClaimRequest request)
{
    private readonly Dictionary<Guid, ClaimedInstance> _byId = [];
    private int _dropped;

    public ClaimRequest Request => request;

    /// <summary>State, progress and payloads.</summary>
    public long Bytes { get; private set; }

    public bool IsEmpty => Ids.Count == 0;

    public bool IsFull => Keys.Count + _dropped >= request.MaxSignals || (Keys.Count > 0 && Bytes >= request.MaxBytes);

    /// <summary>Only who knows it gives the claim back.</summary>
    public Guid Token { get; } = Guid.NewGuid();

    /// <summary>The server's clock at the last look.</summary>
    public DateTimeOffset Now { get; set; }

    /// <summary>The claimed ids: of the instances, and of those that are gone.</summary>
    public HashSet<Guid> Ids { get; } = [];

    public List<DueKey> Keys { get; } = [];

    public List<ClaimedInstance> Instances { get; } = [];

    /// <summary>Claimed ids without an instance: it was purged while a signal to it was being sent.</summary>
    public IReadOnlyCollection<Guid> Gone => Ids.Count == _byId.Count ? [] : [.. Ids.Where(id => !_byId.ContainsKey(id))];

    /// <summary>There were due signals of instances that somebody holds.</summary>
    public bool AnyHeld { get; set; }

    /// <summary>When there is nothing: how long until there may be.</summary>
    public TimeSpan? NextDue { get; set; }

    /// <summary>The first signal that is due later was asked for.</summary>
    public bool KnowsNextDue { get; private set; }

    /// <summary>After this time, if there is one, a signal will be due.</summary>
    public void Await(TimeSpan? wait)
    {
        if (NextDue is not { } soonest || wait < soonest)
            NextDue = wait;
    }

    public void LearnNextDue(List<StoredSignal> first)
    {
        KnowsNextDue = true;
        first.ForEach(signal => Await(signal.Key.Time - Now));
    }

    /// <summary>Takes signals of an instance, in the order of their keys, until the claim is full.</summary>
    public void Add(InstanceRecord instance, IEnumerable<StoredSignal> signals)
    {
        var claimed = new ClaimedInstance(instance);
        _byId.Add(instance.Id, claimed);
        Instances.Add(claimed);
        Bytes += instance.State.Length + (instance.Progress?.Length ?? 0);
        foreach (var stored in signals)
        {
            if (claimed.Signals.Count > 0 && IsFull)
                break;
            Keys.Add(stored.Key);
            Bytes += stored.Payload.Length;
            claimed.Signals.Add(stored.ToSignal());
        }
    }

    /// <summary>Counts signals of an instance that is gone. They are deleted with all that was left of it, and not one by one.</summary>
    public void AddGone(IEnumerable<StoredSignal> signals) => _dropped += signals.Count();
}

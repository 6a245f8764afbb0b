namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Gathers decisions by collection.</summary>
internal sealed class MongoDbWrites(DateTimeOffset now, Func<long> upperBound)
{
    private readonly List<Replacement> _updates = [];
    private readonly List<StoredDocument> _instances = [];
    private readonly List<StoredDocument> _businessKeys = [];
    private readonly List<StoredDocument> _signals = [];
    private readonly List<StoredDocument> _dedupKeys = [];
    private readonly List<StoredDocument> _letters = [];

    public void AddUpdate(Decision decision)
    {
        if (decision.Instance is not null)
            _updates.Add(InstanceDocuments.Replace(decision, now));
        AddConsequences(decision);
    }

    public void AddStart(Decision decision)
    {
        AddInstance(decision.Instance!);
        AddConsequences(decision);
    }

    /// <summary>
    /// A lease counts from here on: its owner counts from the decision, and what was read before that may have waited for the server.
    /// </summary>
    public void AddSignal(Signal signal)
    {
        var isLease = signal.Kind == SignalKind.Activity && !signal.Due.IsNow;
        _signals.Add(SignalDocuments.Of(signal, isLease ? DateTimeOffset.FromUnixTimeMilliseconds(upperBound()) : now));
    }

    public void AddDedupKey(Guid instanceId, string key) => _dedupKeys.Add(KeyDocuments.DedupKey(instanceId, key));

    /// <summary>Instances first, then what belongs to them.</summary>
    public void AppendTo(List<DocumentWrite> writes)
    {
        if (_updates.Count > 0)
        {
            // In one order for all: two transactions that wait for instances of each other would be a deadlock.
            _updates.Sort(static (one, other) => one.Id.CompareTo(other.Id));
            writes.Add(new ReplaceDocuments(Collections.Instances, _updates));
        }

        Append(writes, Collections.BusinessKeys, _businessKeys);
        Append(writes, Collections.Instances, _instances);
        Append(writes, Collections.DedupKeys, _dedupKeys);
        Append(writes, Collections.Signals, _signals);
        Append(writes, Collections.DeadLetters, _letters);
    }

    private void AddConsequences(Decision decision)
    {
        decision.Started?.ForEach(AddInstance);
        decision.Sent?.ForEach(AddSignal);
        foreach (var letter in decision.DeadLetters ?? [])
            _letters.Add(SignalDocuments.Of(letter, now));
    }

    private void AddInstance(InstanceRecord instance)
    {
        _instances.Add(InstanceDocuments.New(instance, now));
        if (instance.BusinessKey is { } key)
            _businessKeys.Add(KeyDocuments.BusinessKey(key, instance));
    }

    private static void Append(List<DocumentWrite> writes, string collection, List<StoredDocument> documents)
    {
        if (documents.Count > 0)
            writes.Add(new InsertDocuments(collection, documents));
    }
}

namespace Serdica.Perf.Workflows.MongoDb;

internal sealed class MongoDbWrites(DateTimeOffset now, Func<long> upperBound)
{
    private readonly List<DocumentWrite> _first = [];
    private readonly List<Replacement> _updates = [];
    private readonly List<(string Collection, StoredDocument Document)> _inserts = [];

    /// <summary>What is written before all that is gathered.</summary>
    public void AddFirst(DocumentWrite write) => _first.Add(write);

    /// <summary>Deletes signals or dead letters by key, before all that is gathered.</summary>
    public void Delete(string collection, IReadOnlyCollection<DueKey> keys)
    {
        if (keys.Count > 0)
            _first.Add(SignalDocuments.Delete(collection, keys));
    }

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
        var from = isLease ? DateTimeOffset.FromUnixTimeMilliseconds(upperBound()) : now;
        _inserts.Add((Collections.Signals, SignalDocuments.Of(signal, from)));
    }

    public void AddDedupKey(Guid instanceId, string key) => _inserts.Add((Collections.DedupKeys, KeyDocuments.DedupKey(instanceId, key)));

    /// <summary>Instances first, then what belongs to them.</summary>
    public List<DocumentWrite> ToList()
    {
        List<DocumentWrite> writes = [.. _first];
        if (_updates.Count > 0)
        {
            // In one order for all: two transactions that wait for instances of each other would be a deadlock.
            _updates.Sort(static (one, other) => one.Id.CompareTo(other.Id));
            writes.Add(new ReplaceDocuments(Collections.Instances, _updates));
        }

        var inserts = _inserts.ToLookup(static insert => insert.Collection, static insert => insert.Document);
        foreach (var collection in Collections.All)
        {
            if (inserts.Contains(collection))
                writes.Add(new InsertDocuments(collection, [.. inserts[collection]]));
        }

        return writes;
    }

    private void AddConsequences(Decision decision)
    {
        decision.Started?.ForEach(AddInstance);
        decision.Sent?.ForEach(AddSignal);
        foreach (var letter in decision.DeadLetters ?? [])
            _inserts.Add((Collections.DeadLetters, SignalDocuments.Of(letter, now)));
    }

    private void AddInstance(InstanceRecord instance)
    {
        _inserts.Add((Collections.Instances, InstanceDocuments.New(instance, now)));
        if (instance.BusinessKey is { } key)
            _inserts.Add((Collections.BusinessKeys, KeyDocuments.BusinessKey(key, instance)));
    }
}

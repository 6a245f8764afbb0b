using System.Text;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What <c>$collStats</c> and <c>$indexStats</c> tell of the store's collections, added up over shards.</summary>
internal sealed class MongoDbCollectionFigures
{
    private readonly Dictionary<string, (double Operations, double Microseconds)> _latencies = [];
    private readonly Dictionary<string, double> _uses = [];
    private readonly Dictionary<string, double> _indexBytes = [];
    private readonly Dictionary<string, double> _sizes = [];
    private string? _collectionsMissing;
    private string? _indexesMissing;

    /// <summary>Sizes of all collections together, by name of the figure and of the server's field.</summary>
    private static readonly (string Name, string Field, string? Unit)[] Sizes =
    [
        ("liveRows", "count", null),
        ("tableBytes", "storageSize", "bytes"),
        ("tableFreeBytes", "freeStorageSize", "bytes"),
        ("indexBytes", "totalIndexSize", "bytes"),
    ];

    /// <summary>Adds the answer about one collection.</summary>
    public void AddCollection(string collection, (DocumentReply? Reply, string? Missing) answer)
    {
        if (answer.Reply is not { } reply)
        {
            _collectionsMissing = answer.Missing;
            return;
        }

        var shards = reply.Documents();
        while (shards.Next())
        {
            var shard = new BsonReader(shards.Document());
            while (shard.Next())
            {
                if (shard.Name.SequenceEqual("latencyStats"u8))
                    AddLatencies(collection, new BsonReader(shard.Document()));
                else if (shard.Name.SequenceEqual("storageStats"u8))
                    AddSizes(collection, new BsonReader(shard.Document()));
            }
        }
    }

    /// <summary>Adds the answer about one collection's indexes.</summary>
    public void AddIndexes(string collection, (DocumentReply? Reply, string? Missing) answer)
    {
        if (answer.Reply is not { } reply)
        {
            _indexesMissing = answer.Missing;
            return;
        }

        var indexes = reply.Documents();
        while (indexes.Next())
        {
            var (name, operations) = ("", 0d);
            var index = new BsonReader(indexes.Document());
            while (index.Next())
            {
                if (index.Name.SequenceEqual("name"u8))
                    name = index.String();
                else if (index.Name.SequenceEqual("accesses"u8) && new BsonReader(index.Document()) is var accesses && accesses.Find("ops"u8))
                    operations = accesses.Number();
            }

            Add(_uses, $"indexUses.{collection}.{name}", operations);
        }
    }

    /// <summary>Sizes, and of each index its size and, when it was asked for, how often it was used.</summary>
    public void AddTo(Dictionary<string, Statistic> values)
    {
        foreach (var (name, field, unit) in Sizes)
            values[name] = _collectionsMissing is null ? new(_sizes.GetValueOrDefault(field), unit, IsGauge: true) : new(null, unit, _collectionsMissing, IsGauge: true);
        if (_collectionsMissing is null)
        {
            foreach (var (name, bytes) in _indexBytes)
                values[name] = new(bytes, "bytes", IsGauge: true);
        }

        if (_indexesMissing is not null)
            values["indexUses"] = new(null, Missing: _indexesMissing);
        foreach (var (name, uses) in _uses)
            values[name] = new(uses);
    }

    /// <summary>Reads, writes and commands of each collection, with the time that they took in the server.</summary>
    public (IReadOnlyList<StatementCost> Statements, string? Missing) Statements() => _collectionsMissing is not null
        ? ([], _collectionsMissing)
        : ([.. _latencies.Select(static entry => new StatementCost(
            entry.Key, (long)entry.Value.Operations, entry.Value.Microseconds / 1000, Rows: null, LogBytes: null))], null);

    private void AddLatencies(string collection, BsonReader kinds)
    {
        while (kinds.Next())
        {
            if (kinds.Type != BsonType.Document)
                continue;
            var key = $"{collection}: {Encoding.UTF8.GetString(kinds.Name)}";
            var (operations, microseconds) = _latencies.GetValueOrDefault(key);
            var kind = new BsonReader(kinds.Document());
            while (kind.Next())
            {
                if (kind.Name.SequenceEqual("ops"u8))
                    operations += kind.Number();
                else if (kind.Name.SequenceEqual("latency"u8))
                    microseconds += kind.Number();
            }

            _latencies[key] = (operations, microseconds);
        }
    }

    private void AddSizes(string collection, BsonReader storage)
    {
        while (storage.Next())
        {
            if (!storage.Name.SequenceEqual("indexSizes"u8))
            {
                Add(_sizes, Encoding.UTF8.GetString(storage.Name), storage.Number());
                continue;
            }

            var indexes = new BsonReader(storage.Document());
            while (indexes.Next())
                Add(_indexBytes, $"indexBytes.{collection}.{Encoding.UTF8.GetString(indexes.Name)}", indexes.Number());
        }
    }

    private static void Add(Dictionary<string, double> sums, string name, double number) =>
        sums[name] = sums.GetValueOrDefault(name) + number;
}

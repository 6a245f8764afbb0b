namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What <c>$collStats</c> and <c>$indexStats</c> tell of the store's collections, added up.</summary>
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
    public void AddCollection(string collection, MongoDbAnswer answer)
    {
        _collectionsMissing ??= answer.Missing;
        foreach (var figures in answer.Documents)
        {
            if (figures.TryGetValue("latencyStats", out var latencies))
                AddLatencies(collection, latencies.AsBsonDocument);
            if (figures.TryGetValue("storageStats", out var storage))
                AddSizes(collection, storage.AsBsonDocument);
        }
    }

    /// <summary>Adds the answer about one collection's indexes.</summary>
    public void AddIndexes(string collection, MongoDbAnswer answer)
    {
        _indexesMissing ??= answer.Missing;
        foreach (var index in answer.Documents)
            Add(_uses, $"indexUses.{collection}.{index["name"].AsString}", index["accesses"]["ops"].ToDouble());
    }

    /// <summary>Sizes, and of each index its size and, when it was asked for, how often it was used.</summary>
    public void AddTo(Dictionary<string, Statistic> values)
    {
        foreach (var (name, field, unit) in Sizes)
            values[name] = _collectionsMissing is null
                ? new(_sizes.GetValueOrDefault(field), unit, IsGauge: true)
                : new(null, unit, _collectionsMissing, IsGauge: true);
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
    public (IReadOnlyList<StatementCost> Statements, string? Missing) Statements() =>
        _collectionsMissing is not null
            ? ([], _collectionsMissing)
            : (
                [
                    .. _latencies.Select(static entry => new StatementCost(
                        entry.Key,
                        (long)entry.Value.Operations,
                        entry.Value.Microseconds / 1000,
                        Rows: null,
                        LogBytes: null
                    )),
                ],
                null
            );

    private void AddLatencies(string collection, BsonDocument kinds)
    {
        foreach (var kind in kinds.Where(static kind => kind.Value.IsBsonDocument))
        {
            var key = $"{collection}: {kind.Name}";
            var (operations, microseconds) = _latencies.GetValueOrDefault(key);
            _latencies[key] = (operations + kind.Value["ops"].ToDouble(), microseconds + kind.Value["latency"].ToDouble());
        }
    }

    private void AddSizes(string collection, BsonDocument storage)
    {
        foreach (var size in storage)
        {
            if (size.Value.IsNumeric)
                Add(_sizes, size.Name, size.Value.ToDouble());
            else if (size.Name == "indexSizes")
            {
                foreach (var index in size.Value.AsBsonDocument)
                    Add(_indexBytes, $"indexBytes.{collection}.{index.Name}", index.Value.ToDouble());
            }
        }
    }

    private static void Add(Dictionary<string, double> sums, string name, double number) =>
        sums[name] = sums.GetValueOrDefault(name) + number;
}

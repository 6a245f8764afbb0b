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

    public void AddCollection(string collection, MongoDbAnswer answer)
    {
        _collectionsMissing ??= answer.Missing;
        foreach (var figures in answer.Documents)
        {
            foreach (var kind in (figures.Find("latencyStats") as BsonDocument ?? []).Where(static kind => kind.Value.IsBsonDocument))
            {
                var key = $"{collection}: {kind.Name}";
                var (operations, microseconds) = _latencies.GetValueOrDefault(key);
                _latencies[key] = (operations + kind.Value["ops"].ToDouble(), microseconds + kind.Value["latency"].ToDouble());
            }

            foreach (var (name, field, _) in Sizes)
                Add(_sizes, name, figures.Find("storageStats", field)?.ToDouble() ?? 0);
            foreach (var index in figures.Find("storageStats", "indexSizes") as BsonDocument ?? [])
                Add(_indexBytes, $"indexBytes.{collection}.{index.Name}", index.Value.ToDouble());
        }
    }

    public void AddIndexes(string collection, MongoDbAnswer answer)
    {
        _indexesMissing ??= answer.Missing;
        foreach (var index in answer.Documents)
            Add(_uses, $"indexUses.{collection}.{index["name"].AsString}", index["accesses"]["ops"].ToDouble());
    }

    /// <summary>Sizes, and of each index its size and, when it was asked for, how often it was used.</summary>
    public void AddTo(Dictionary<string, Statistic> values)
    {
        var isKnown = _collectionsMissing is null;
        foreach (var (name, _, unit) in Sizes)
            values[name] = MongoDbReplication.Gauge(isKnown ? _sizes.GetValueOrDefault(name) : null, unit, _collectionsMissing);
        foreach (var (name, bytes) in isKnown ? _indexBytes : [])
            values[name] = new(bytes, "bytes", IsGauge: true);
        if (_indexesMissing is not null)
            values["indexUses"] = new(null, Missing: _indexesMissing);
        foreach (var (name, uses) in _uses)
            values[name] = new(uses);
    }

    /// <summary>Reads, writes and commands of each collection, with the time that they took in the server.</summary>
    public StatisticsSnapshot AddTo(StatisticsSnapshot snapshot) =>
        snapshot with
        {
            StatementsMissing = _collectionsMissing,
            Statements =
            [
                .. _latencies
                    .Where(_ => _collectionsMissing is null)
                    .Select(static entry => new StatementCost(
                        entry.Key,
                        (long)entry.Value.Operations,
                        entry.Value.Microseconds / 1000,
                        Rows: null,
                        LogBytes: null
                    )),
            ],
        };

    private static void Add(Dictionary<string, double> sums, string name, double number) =>
        sums[name] = sums.GetValueOrDefault(name) + number;
}

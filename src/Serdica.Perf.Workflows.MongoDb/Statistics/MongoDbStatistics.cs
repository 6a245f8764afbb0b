namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Figures of a MongoDB server: of the whole server by <c>serverStatus</c>, of the store's collections by
/// <c>$collStats</c> and <c>$indexStats</c>, and of the oplog. Waits are sampled by <c>$currentOp</c> from the first full
/// snapshot on. What this server has not, or does not report to this user, has a sentence in place of a value.
/// </summary>
/// <remarks>
/// DocumentDB has none of its own: there the PostgreSQL beneath is asked. What the statistics ask is taken out of the
/// server's count of requests; what the driver asks to watch the server is not.
/// </remarks>
internal sealed class MongoDbStatistics : IBackendStatistics
{
    private const string Admin = "admin";
    private const string OplogDatabase = "local";
    private const string Monitor = "the role clusterMonitor";
    private const string ReadLocal = $"the role read on the database {OplogDatabase}";

    private readonly IMongoDbServer _server;
    private readonly string _database;
    private readonly MongoDbAnswers _answers;
    private readonly SemaphoreSlim _turn = new(1, 1);
    private MongoDbWaitSampler? _sampler;
    private TimeSpan _busy;

    /// <exception cref="ArgumentException">The driver does not understand the connection string, which is not repeated.</exception>
    public MongoDbStatistics(string connectionString, string database)
        : this(new MongoDriverServer(connectionString, MongoDriver.StatisticsApplication), database) { }

    internal MongoDbStatistics(IMongoDbServer server, string database)
    {
        _server = server;
        _database = database;
        _answers = new(server);
    }

    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await MongoDbErrors
                .Of("mongodb")
                .WrapAsync("tell its statistics", () => ReadAsync(depth, cancellationToken))
                .ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (_sampler is not null)
            await _sampler.DisposeAsync().ConfigureAwait(false);
        await _server.DisposeAsync().ConfigureAwait(false);
        _turn.Dispose();
    }

    private async Task<StatisticsSnapshot> ReadAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        if (depth == SnapshotDepth.Full)
        {
            _sampler ??= new MongoDbWaitSampler(_answers);
            await _sampler.CatchUpAsync(cancellationToken).ConfigureAwait(false);
        }

        var begin = Stopwatch.GetTimestamp();
        var collections = await ReadCollectionsAsync(depth, cancellationToken).ConfigureAwait(false);
        var (status, missing) = await AskAsync(Admin, new("serverStatus", 1), "serverStatus", cancellationToken).ConfigureAwait(false);
        var values = status is null ? MongoDbFigures.Without(missing!) : MongoDbFigures.Read(status, _answers);
        values["deadRows"] = new(
            null,
            Missing: "WiredTiger keeps old versions elsewhere and does not count them by collection.",
            IsGauge: true
        );
        collections.AddTo(values);
        values["majorityLag"] = MongoDbReplication.LagOf(
            await AskAsync(Admin, new("replSetGetStatus", 1), "replSetGetStatus", cancellationToken).ConfigureAwait(false)
        );
        await AddOplogAsync(values, cancellationToken).ConfigureAwait(false);
        _busy += Stopwatch.GetElapsedTime(begin);
        values["collectorTime"] = new((_busy + (_sampler?.Busy ?? TimeSpan.Zero)).TotalMilliseconds, "ms");

        var snapshot = new StatisticsSnapshot(values) { StatementsMissing = "A sample has none." };
        if (depth == SnapshotDepth.Full)
            snapshot = collections.AddTo(snapshot);
        return _sampler?.AddTo(snapshot) ?? snapshot with { WaitsMissing = "Nothing is sampled before the first full snapshot." };
    }

    private async Task<MongoDbCollectionFigures> ReadCollectionsAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        var figures = new MongoDbCollectionFigures();
        foreach (var collection in Collections.All)
        {
            var command = StatisticsCommands.CollectionStatistics(collection);
            figures.AddCollection(collection, await AskAsync(_database, command, "$collStats", cancellationToken).ConfigureAwait(false));
            if (depth != SnapshotDepth.Full)
                continue;
            command = StatisticsCommands.IndexStatistics(collection);
            figures.AddIndexes(collection, await AskAsync(_database, command, "$indexStats", cancellationToken).ConfigureAwait(false));
        }

        return figures;
    }

    private async Task AddOplogAsync(Dictionary<string, Statistic> values, CancellationToken cancellationToken)
    {
        var size = await AskAsync(OplogDatabase, StatisticsCommands.OplogSize(), "$collStats of the oplog", cancellationToken)
            .ConfigureAwait(false);
        MongoDbReplication.AddOplogTo(values, size, await EndAsync(1).ConfigureAwait(false), await EndAsync(-1).ConfigureAwait(false));

        Task<MongoDbAnswer> EndAsync(int direction) =>
            AskAsync(OplogDatabase, StatisticsCommands.OplogEnd(direction), "find on the oplog", cancellationToken, ReadLocal);
    }

    private Task<MongoDbAnswer> AskAsync(
        string database,
        BsonDocument command,
        string what,
        CancellationToken cancellationToken,
        string grant = Monitor
    ) => _answers.AskAsync(database, command, what, grant, cancellationToken);
}

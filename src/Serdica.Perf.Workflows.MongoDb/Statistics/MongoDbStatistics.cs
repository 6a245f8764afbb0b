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
    private const string Monitor = "the role clusterMonitor";
    private const string ReadLocal = $"the role read on the database {MongoDbOplog.Database}";

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
            return await ReadAsync(depth, cancellationToken).ConfigureAwait(false);
        }
        catch (DocumentCommandException e)
        {
            throw MongoDbErrors.Wrap("mongodb", "tell its statistics", e);
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
        collections.AddTo(values);
        values["majorityLag"] = MongoDbReplication.LagOf(
            await AskAsync(Admin, new("replSetGetStatus", 1), "replSetGetStatus", cancellationToken).ConfigureAwait(false)
        );
        await AddOplogAsync(values, cancellationToken).ConfigureAwait(false);
        _busy += Stopwatch.GetElapsedTime(begin);
        values["collectorTime"] = new((_busy + (_sampler?.Busy ?? TimeSpan.Zero)).TotalMilliseconds, "ms");

        var snapshot = new StatisticsSnapshot(values) { StatementsMissing = "A sample has none." };
        if (depth == SnapshotDepth.Full)
        {
            var (statements, reason) = collections.Statements();
            snapshot = snapshot with { Statements = statements, StatementsMissing = reason };
        }

        return _sampler?.AddTo(snapshot) ?? snapshot with { WaitsMissing = "Nothing is sampled before the first full snapshot." };
    }

    private async Task<MongoDbCollectionFigures> ReadCollectionsAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        var figures = new MongoDbCollectionFigures();
        foreach (var collection in Collections.All)
        {
            figures.AddCollection(
                collection,
                await AskAsync(_database, StatisticsCommands.CollectionStatistics(collection), "$collStats", cancellationToken)
                    .ConfigureAwait(false)
            );
            if (depth == SnapshotDepth.Full)
            {
                figures.AddIndexes(
                    collection,
                    await AskAsync(_database, StatisticsCommands.IndexStatistics(collection), "$indexStats", cancellationToken)
                        .ConfigureAwait(false)
                );
            }
        }

        return figures;
    }

    private async Task AddOplogAsync(Dictionary<string, Statistic> values, CancellationToken cancellationToken)
    {
        var size = await AskAsync(MongoDbOplog.Database, StatisticsCommands.OplogSize(), "$collStats of the oplog", cancellationToken)
            .ConfigureAwait(false);
        var oldest = await _answers
            .AskAsync(MongoDbOplog.Database, StatisticsCommands.OplogEnd(1), "find on the oplog", ReadLocal, cancellationToken)
            .ConfigureAwait(false);
        var newest = await _answers
            .AskAsync(MongoDbOplog.Database, StatisticsCommands.OplogEnd(-1), "find on the oplog", ReadLocal, cancellationToken)
            .ConfigureAwait(false);
        MongoDbOplog.AddTo(values, size, oldest, newest);
    }

    private Task<MongoDbAnswer> AskAsync(string database, BsonDocument command, string what, CancellationToken cancellationToken) =>
        _answers.AskAsync(database, command, what, Monitor, cancellationToken);
}

using MongoDB.Driver.Core.Configuration;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A database on MongoDB, by its own driver. All about the connection but its name is said by the connection string.</summary>
internal sealed class MongoDriverDatabase : IDocumentDatabase
{
    private const int MaxSnapshotFailures = 20;

    /// <summary>Kept by one server in memory.</summary>
    private static readonly WriteConcern Relaxed = WriteConcern.W1.With(journal: false);

    private readonly MongoClient _client;
    private readonly IMongoDatabase _database;
    private readonly MongoDriverReads _reads;
    private readonly MongoDriverWrites _writes;
    private readonly MongoDriverHints _hints;
    private readonly MongoDriverErrors _errors;

    /// <param name="connectionString">Names a replica set: a single server has no transactions.</param>
    /// <exception cref="ArgumentException">The driver does not understand the connection string, which may hold a password and is not
    /// repeated.</exception>
    public MongoDriverDatabase(string connectionString, string name, Action<ClusterBuilder>? monitor = null)
    {
        var settings = MongoDriver.SettingsOf(connectionString, MongoDriver.Application);
        settings.ClusterConfigurator = monitor;
        _client = new MongoClient(settings);
        _database = _client.GetDatabase(name);
        _reads = new MongoDriverReads(_database);
        _hints = new MongoDriverHints(_database);
        _errors = new MongoDriverErrors(settings.SocketTimeout);
        _writes = new MongoDriverWrites(_client, _database, _errors);
    }

    public string Engine => "mongodb";

    public string Name => _database.DatabaseNamespace.DatabaseName;

    public bool HearsChanges { get; private set; } = true;

    /// <summary>This one: the driver's pool has 100 connections for each server, and opens another while one is in use.</summary>
    public IDocumentDatabase ForLeases => this;

    public long Retries => _writes.Retries;

    public Task DefineAsync(
        IReadOnlyList<string> collections,
        IReadOnlyList<(string Collection, string Field)> indexes,
        CancellationToken cancellationToken
    ) =>
        _errors.Try(
            static () => "'create' or 'createIndexes'",
            async () =>
            {
                foreach (var collection in collections)
                    await CreateAsync(collection, cancellationToken).ConfigureAwait(false);
                foreach (var (collection, field) in indexes)
                {
                    // The due time behind the field: looks for what is due read nothing else that an instance has.
                    var index = new CreateIndexModel<BsonDocument>(new BsonDocument { { field, 1 }, { "_id", 1 } }, new() { Name = field });
                    await _database
                        .GetCollection<BsonDocument>(collection)
                        .Indexes.CreateOneAsync(index, cancellationToken: cancellationToken)
                        .ConfigureAwait(false);
                }

                HearsChanges = await _hints.TryOpenAsync(cancellationToken).ConfigureAwait(false);
            }
        );

    public Task DropAsync(CancellationToken cancellationToken) =>
        _errors.Try(static () => "'dropDatabase'", () => _client.DropDatabaseAsync(Name, cancellationToken));

    public Task ReadAsync(IReadOnlyList<DocumentQuery> queries, ReadLevel level, CancellationToken cancellationToken) =>
        _errors.Try(() => Asked("find", queries), () => _reads.ReadAsync(queries, level, cancellationToken));

    public Task<IReadOnlyList<int>> ClaimAsync(
        IReadOnlyList<StoredDocument> claims,
        IReadOnlyList<DocumentQuery> queries,
        CancellationToken cancellationToken
    ) =>
        _errors.Try<IReadOnlyList<int>>(
            () => $"'insert' of '{Collections.Claims}' or {Asked("find", queries)}",
            async () =>
            {
                var taken = await ClaimAsync(claims, cancellationToken).ConfigureAwait(false);
                await _reads.ReadAsync(queries, ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
                return taken;
            }
        );

    public Task DeleteAsync(string collection, BsonDocument filter, CancellationToken cancellationToken) =>
        _errors.Try(
            () => $"'delete' of '{collection}'",
            () =>
                _database
                    .GetCollection<BsonDocument>(collection)
                    .WithWriteConcern(collection == Collections.Claims ? Relaxed : WriteConcern.WMajority)
                    .DeleteManyAsync(filter, cancellationToken)
        );

    public Task<bool> WriteAsync(IReadOnlyList<DocumentWrite> writes, CancellationToken cancellationToken) =>
        _writes.WriteAsync(writes, cancellationToken);

    public Task ReadSnapshotAsync(IReadOnlyList<DocumentQuery> queries, CancellationToken cancellationToken) =>
        _errors.Try(
            () => Asked("aggregate", queries),
            async () =>
            {
                for (var (read, failures) = (0, 0); read < queries.Count;)
                {
                    using var session = await _client.StartSessionAsync(new() { Snapshot = true }, cancellationToken).ConfigureAwait(false);
                    for (read = 0; read < queries.Count;)
                    {
                        try
                        {
                            await _reads.ReadSnapshotAsync(session, queries[read], cancellationToken).ConfigureAwait(false);
                            read++;
                        }
                        catch (MongoException e) when (MongoDriverErrors.IsPassing(e) && ++failures < MaxSnapshotFailures)
                        {
                            await Task.Delay(10 * failures, cancellationToken).ConfigureAwait(false);

                            // A collection that came into being a moment ago is in no snapshot yet, and history ends some time. As
                            // long as the server has the moment, what was read of it need not be read again.
                            if (e is MongoCommandException { Code: DocumentErrors.SnapshotUnavailable or DocumentErrors.SnapshotTooOld })
                                break;
                        }
                    }
                }
            }
        );

    public Task WaitForChangeAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        _errors.Try(static () => "the change stream", () => _hints.WaitAsync(maximum, cancellationToken));

    public Task NotifyAsync(CancellationToken cancellationToken) =>
        _errors.Try(static () => $"'update' of '{Collections.Store}'", () => _hints.NotifyAsync(cancellationToken));

    /// <summary>WiredTiger cleans up after itself.</summary>
    public Task MaintainAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken) => Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        await _hints.DisposeAsync().ConfigureAwait(false);
        _client.Dispose();
    }

    private async Task CreateAsync(string collection, CancellationToken cancellationToken)
    {
        try
        {
            await _database.CreateCollectionAsync(collection, options: null, cancellationToken).ConfigureAwait(false);
        }
        catch (MongoCommandException e) when (e.Code == DocumentErrors.NamespaceExists)
        {
            // By another process, or an earlier attempt.
        }
    }

    private async Task<IReadOnlyList<int>> ClaimAsync(IReadOnlyList<StoredDocument> claims, CancellationToken cancellationToken)
    {
        try
        {
            await _database
                .GetCollection<StoredDocument>(Collections.Claims)
                .WithWriteConcern(Relaxed)
                .InsertManyAsync(claims, new() { IsOrdered = false }, cancellationToken)
                .ConfigureAwait(false);
            return [];
        }
        catch (MongoBulkWriteException e) when (e.WriteErrors.Count > 0)
        {
            var other = e.WriteErrors.FirstOrDefault(static error =>
                error.Code is not (DocumentErrors.DuplicateKey or DocumentErrors.WriteConflict)
            );
            return other is null
                ? [.. e.WriteErrors.Select(static error => error.Index)]
                : throw new DocumentCommandException(other.Code, other.Message, isTransient: false, e);
        }
    }

    private static string Asked(string verb, IEnumerable<DocumentQuery> queries) =>
        MongoDriverErrors.Asked(verb, queries.Select(static query => query.Collection));
}

using MongoDB.Bson;
using MongoDB.Bson.Serialization.Serializers;
using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Runs the commands on MongoDB by its own driver. All about the connection but its name is said by the connection string.</summary>
public sealed class MongoDriverDatabase : IDocumentDatabase
{
    private const int MaxSnapshots = 20;

    /// <summary>
    /// How long one answer of the server may take, unless the connection string says otherwise (<c>socketTimeoutMS</c>): the
    /// driver waits without end by default, and what waits for it would never hear that a connection is lost.
    /// </summary>
    private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(30);

    private static readonly TransactionOptions Snapshot = new(ReadConcern.Snapshot, ReadPreference.Primary, WriteConcern.WMajority);

    private readonly MongoClient _client;
    private readonly IMongoDatabase _database;
    private readonly MongoDriverHints _hints;
    private readonly MongoDriverErrors _errors;

    /// <param name="connectionString">Names a replica set or a sharded cluster: a single server has no transactions.</param>
    /// <param name="name">The name of the database, which is created when it is missing.</param>
    /// <param name="application">What the connections call themselves; it is by this name that statistics know the engine's.</param>
    /// <exception cref="ArgumentException">The driver does not understand the connection string, which may hold a password and is not repeated.</exception>
    public MongoDriverDatabase(string connectionString, string name, string application = MongoDriver.Application)
    {
        var settings = ReadSettings(connectionString);
        settings.ApplicationName = application;
        _client = new MongoClient(settings);
        _database = _client.GetDatabase(name);
        _hints = new MongoDriverHints(_database);
        _errors = new MongoDriverErrors(settings.SocketTimeout);
    }

    /// <inheritdoc/>
    public string Engine => "mongodb";

    /// <inheritdoc/>
    public string Name => _database.DatabaseNamespace.DatabaseName;

    /// <inheritdoc/>
    public bool HearsChanges => true;

    /// <summary>This one: the driver's pool has 100 connections for each server, and opens another while one is in use.</summary>
    public IDocumentDatabase ForLeases => this;

    /// <inheritdoc/>
    public Task DefineAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken) =>
        _errors.Try(commands, async () =>
        {
            foreach (var command in commands)
            {
                try
                {
                    await RunAsync(session: null, command.Bytes, cancellationToken).ConfigureAwait(false);
                }
                catch (MongoCommandException e) when (e.Code == DocumentErrors.NamespaceExists)
                {
                    // By another process, or an earlier attempt.
                }
            }

            return true;
        });

    /// <inheritdoc/>
    public Task<IReadOnlyList<DocumentReply>> RunAsync(
        IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken) =>
        _errors.Try<IReadOnlyList<DocumentReply>>(commands, async () =>
        {
            var replies = new List<DocumentReply>(commands.Count);
            foreach (var command in commands)
                replies.Add(await RunAsync(session: null, command.Bytes, cancellationToken).ConfigureAwait(false));
            return replies;
        });

    /// <inheritdoc/>
    public Task<bool> WriteAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken) =>
        _errors.Try(commands, async () =>
        {
            using var session = await _client.StartSessionAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
            var transaction = new MongoDriverTransaction(session, RunAsync);
            try
            {
                return await transaction.WriteAsync(commands, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e) when (transaction.CommitWasSent && e is MongoException or TimeoutException)
            {
                throw _errors.Wrap(e, commands, mayBeWritten: true);
            }
        });

    /// <inheritdoc/>
    public Task<IReadOnlyList<IReadOnlyList<DocumentReply>>> ReadSnapshotAsync(
        IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken) =>
        _errors.Try<IReadOnlyList<IReadOnlyList<DocumentReply>>>(commands, async () =>
        {
            for (var tries = 1; ; tries++)
            {
                using var session = await _client.StartSessionAsync(cancellationToken: cancellationToken).ConfigureAwait(false);
                try
                {
                    return await ReadSnapshotAsync(session, commands, cancellationToken).ConfigureAwait(false);
                }
                catch (MongoCommandException e) when (e.HasErrorLabel("TransientTransactionError") && tries < MaxSnapshots)
                {
                    // A collection that came into being a moment ago is in no snapshot yet.
                    await Task.Delay(10 * tries, cancellationToken).ConfigureAwait(false);
                }
            }
        });

    /// <inheritdoc/>
    public Task WaitForChangeAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        _errors.Try([], () => _hints.WaitAsync(maximum, cancellationToken));

    /// <inheritdoc/>
    public Task NotifyAsync(CancellationToken cancellationToken) =>
        _errors.Try([], () => _hints.NotifyAsync(cancellationToken));

    /// <summary>WiredTiger cleans up after itself.</summary>
    public Task MaintainAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken) => Task.CompletedTask;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _hints.DisposeAsync().ConfigureAwait(false);
        _client.Dispose();
    }

    /// <exception cref="ArgumentException">The driver does not understand the connection string.</exception>
    internal static MongoClientSettings ReadSettings(string connectionString)
    {
        try
        {
            var settings = MongoClientSettings.FromConnectionString(connectionString);
            if (settings.SocketTimeout <= TimeSpan.Zero)
                settings.SocketTimeout = AnswerLimit;
            return settings;
        }
        catch (MongoConfigurationException)
        {
            throw new ArgumentException("MongoDB.Driver does not understand the connection string: it must look like 'mongodb://user:password@host:27017/?replicaSet=rs0'.");
        }
    }

    private async Task<IReadOnlyList<IReadOnlyList<DocumentReply>>> ReadSnapshotAsync(
        IClientSessionHandle session, IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken)
    {
        session.StartTransaction(Snapshot);
        var replies = new List<IReadOnlyList<DocumentReply>>(commands.Count);
        foreach (var command in commands)
        {
            var pages = new List<DocumentReply> { await RunAsync(session, command.Bytes, cancellationToken).ConfigureAwait(false) };
            while (pages[^1].CursorId() is var cursor && cursor != 0)
            {
                using var more = new BsonWriter();
                more.Write("getMore"u8, cursor);
                more.Write("collection"u8, command.Collection);
                pages.Add(await RunAsync(session, more.Finish(), cancellationToken).ConfigureAwait(false));
            }

            replies.Add(pages);
        }

        // What was read is sure to stay only when the transaction commits with a majority.
        await session.CommitTransactionAsync(cancellationToken).ConfigureAwait(false);
        return replies;
    }

    private async Task<DocumentReply> RunAsync(
        IClientSessionHandle? session, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        using var document = new RawBsonDocument(bytes.ToArray());
        var command = new BsonDocumentCommand<RawBsonDocument>(document, RawBsonDocumentSerializer.Instance);
        using var reply = session is null
            ? await _database.RunCommandAsync(command, ReadPreference.Primary, cancellationToken).ConfigureAwait(false)
            : await _database.RunCommandAsync(session, command, ReadPreference.Primary, cancellationToken).ConfigureAwait(false);
        var slice = reply.Slice;
        var copy = new byte[slice.Length];
        slice.GetBytes(0, copy, 0, copy.Length);
        return new(copy);
    }
}

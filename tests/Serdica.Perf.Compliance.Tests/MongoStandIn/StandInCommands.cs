using MongoDB.Bson.Serialization;
using NpgsqlTypes;

namespace Serdica.Perf.Compliance;

/// <summary>Runs MongoDB's commands on DocumentDB, sessions and transactions included.</summary>
internal sealed class StandInCommands : IAsyncDisposable
{
    /// <summary>
    /// Conflicts of transactions are errors, not waits. A transaction that is left alone ends, as MongoDB's do by
    /// <c>transactionLifetimeLimitSeconds</c>, whose default this is.
    /// </summary>
    private const string Settings =
        "-c client_min_messages=warning -c lock_timeout=300 -c idle_in_transaction_session_timeout=60s -c enable_seqscan=off "
        + "-c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

    private readonly string _application = $"mongodb-stand-in-{Guid.NewGuid():n}";
    private readonly NpgsqlDataSource _source;

    /// <summary>The short limit makes conflicts of transactions; a definition waits for whoever uses the tables.</summary>
    private readonly NpgsqlDataSource _definer;
    private readonly int _wireVersion;
    private readonly ConcurrentDictionary<string, StandInSession> _sessions = new();
    private readonly StandInSnapshots _snapshots;
    private readonly StandInChanges _changes = new();
    private readonly ConcurrentDictionary<long, byte[]> _continuations = new();

    /// <summary>MongoDB lets definitions race; the extension had better not.</summary>
    private readonly SemaphoreSlim _definitions = new(1, 1);

    public StandInCommands(string connectionString, int wireVersion)
    {
        _wireVersion = wireVersion;
        _source = NpgsqlDataSource.Create(Connecting(Settings));
        _definer = NpgsqlDataSource.Create(Connecting($"{Settings} -c lock_timeout=30s"));
        _snapshots = new(_source);

        // No command changes its session. A reset would have the extension plan all its statements anew with the next one.
        NpgsqlConnectionStringBuilder Connecting(string settings) =>
            new(connectionString)
            {
                SearchPath = "documentdb_api_catalog,documentdb_api,documentdb_core,public",
                Options = settings,
                MaxPoolSize = 60,
                ApplicationName = _application,
                NoResetOnClose = true,
                MaxAutoPrepare = 32,
                AutoPrepareMinUsages = 2,
            };
    }

    /// <summary>What goes wrong next, in this order.</summary>
    public ConcurrentQueue<StandInFault> Faults { get; } = new();

    /// <summary>All commands so far.</summary>
    public ConcurrentQueue<CommandHead> Heads { get; } = new();

    /// <summary>Sessions of PostgreSQL that hold a transaction of this stand-in open and run nothing in it.</summary>
    public async Task<long> CountIdleTransactionsAsync(CancellationToken cancellationToken)
    {
        await using var count = _source.CreateCommand(
            "select count(*) from pg_stat_activity where application_name = $1 and state like 'idle in transaction%'"
        );
        count.Parameters.Add(new() { Value = _application });
        return (long)(await count.ExecuteScalarAsync(cancellationToken))!;
    }

    /// <summary>
    /// The statement that removes all documents of a database but the one that describes it, once nobody writes any more.
    /// </summary>
    public static string Emptying(string database) =>
        $"""
        do $$
        declare place text;
        begin
            for place in
                select 'documentdb_data.documents_' || c.collection_id from documentdb_api_catalog.collections c
                where c.database_name = '{database}' and c.collection_name <> '{Collections.Store}'
            loop
                execute 'lock table ' || place;
                execute 'delete from ' || place;
            end loop;
        end $$
        """;

    /// <summary>Empties a database, and keeps its collections.</summary>
    public async Task EmptyAsync(string database)
    {
        await _snapshots.CloseAsync(database);
        await using var emptying = _definer.CreateCommand(Emptying(database));
        await emptying.ExecuteNonQueryAsync(CancellationToken.None);
    }

    /// <summary>The reply, which may tell of an error.</summary>
    /// <param name="cancellationToken">Set when the client hangs up: the command is killed, and its transaction with it.</param>
    public async Task<byte[]> RunAsync(byte[] command, CancellationToken cancellationToken)
    {
        CommandHead? head = null;
        try
        {
            var document = BsonSerializer.Deserialize<BsonDocument>(command);
            CommandHead.Check(document);
            head = new CommandHead(document);
            Heads.Enqueue(head);
            if (!Faults.TryPeek(out var fault) || fault.Verb != head.Verb || !Faults.TryDequeue(out _))
                return (await RunAsync(head, document, cancellationToken)).ToBson();
            if (fault.Silent)
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            if (fault.Reply is not null)
                return fault.Reply.ToBson();
            await RunAsync(head, document, cancellationToken);
            throw new IOException("The answer is lost, as the test wishes.");
        }
        catch (Exception e) when (e is DocumentCommandException or NpgsqlException)
        {
            var error = e as DocumentCommandException ?? DocumentDbErrors.Wrap(e);
            return StandInReplies.Error(error, head is { IsInTransaction: true }).ToBson();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _snapshots.DisposeAsync();
        await EndAsync(_sessions.Keys);
        await _source.DisposeAsync();
        await _definer.DisposeAsync();
        _definitions.Dispose();
    }

    private StandInSession SessionOf(CommandHead head) => _sessions.GetOrAdd(head.Session!, _ => new StandInSession(_source));

    /// <summary>A session that ends takes its transaction with it.</summary>
    private async Task EndAsync(IEnumerable<string> sessions)
    {
        foreach (var id in sessions)
        {
            if (_sessions.TryRemove(id, out var session))
                await session.DisposeAsync();
        }
    }

    private async Task<BsonDocument> RunAsync(CommandHead head, BsonDocument command, CancellationToken cancellationToken)
    {
        switch (head.Verb)
        {
            case "hello" or "isMaster" or "ismaster":
                return StandInReplies.Hello(_wireVersion);
            case "ping" or "killCursors":
                return StandInReplies.Ok();
            case "endSessions":
                await EndAsync(head.EndedSessions);
                return StandInReplies.Ok();
            case "serverStatus" or "buildInfo":
                return StandInReplies.Status();
            case "commitTransaction":
                await SessionOf(head).CommitAsync(head.Transaction);
                return StandInReplies.Ok();
            case "abortTransaction":
                await SessionOf(head).AbortAsync(head.Transaction);
                return StandInReplies.Ok();
            case "aggregate" when head.ChangesAfter is not null:
                return _changes.Open(head);
            case "getMore" when await _changes.MoreAsync(head, cancellationToken) is { } page:
                return page;
            case "create" or "createIndexes" or "dropDatabase":
                await _definitions.WaitAsync(cancellationToken);
                try
                {
                    // A snapshot that is still open would hold the tables.
                    await _snapshots.CloseAsync(head.Database);
                    return await ExecuteAsync(head, command, cancellationToken);
                }
                finally
                {
                    _definitions.Release();
                }

            default:
                return await ExecuteAsync(head, command, cancellationToken);
        }
    }

    private async Task<BsonDocument> ExecuteAsync(CommandHead head, BsonDocument command, CancellationToken cancellationToken)
    {
        if (head.IsInTransaction)
        {
            return await SessionOf(head).RunAsync(
                head,
                (open, token) =>
                    head.Verb == "bulkWrite"
                        ? StandInBulkWrite.RunAsync(command, (database, part) => WriteAsync(database, part, open, token))
                        : WriteAsync(head.Database, command, open, token),
                cancellationToken
            );
        }

        if (head.ReadsSnapshot || (head.Verb == "getMore" && _snapshots.Holds(head)))
            return await _snapshots.RunAsync(head, (open, token) => ExecuteAsync(head.Database, command, open, token), cancellationToken);

        var isDefinition = head.Verb is "create" or "createIndexes" or "dropDatabase";
        await using var connection = await (isDefinition ? _definer : _source).OpenConnectionAsync(cancellationToken);
        var reply = await ExecuteAsync(head.Database, command, connection, cancellationToken);
        if (head is { Collection: Collections.Store, Verb: "update" })
            _changes.Publish(head.Database);
        return reply;
    }

    /// <summary>In MongoDB a conflict within a transaction is an error of the command, not of a document.</summary>
    private async Task<BsonDocument> WriteAsync(
        string database,
        BsonDocument command,
        NpgsqlConnection connection,
        CancellationToken cancellationToken
    )
    {
        var reply = await ExecuteAsync(database, command, connection, cancellationToken);
        foreach (var error in ErrorsOf(reply))
        {
            var code = error["code"].ToInt32();
            if (DocumentErrors.IsTransient(code))
                throw new DocumentCommandException(code, error["errmsg"].AsString, isTransient: true);
        }

        return reply;
    }

    private async Task<BsonDocument> ExecuteAsync(
        string database,
        BsonDocument command,
        NpgsqlConnection connection,
        CancellationToken cancellationToken
    )
    {
        var verb = command.GetElement(0);
        var statements = new DocumentDbStatements(database);
        await using var statement = new NpgsqlCommand { Connection = connection };
        statement.Parameters.Add(Bytes(command.ToBson()));
        if (verb.Name == "getMore")
        {
            statement.CommandText = statements.More;
            if (!_continuations.TryRemove(verb.Value.AsInt64, out var continuation))
                throw new DocumentCommandException(43, $"Cursor {verb.Value} is not known.", isTransient: false);
            statement.Parameters.Add(Bytes(continuation));
        }
        else if (verb.Name is "find" or "aggregate" or "insert" or "update" or "delete" or "create" or "createIndexes" or "dropDatabase")
        {
            statement.CommandText = statements.Reply(verb.Name);
        }
        else
        {
            throw new DocumentCommandException(DocumentErrors.CommandNotFound, $"no such command: '{verb.Name}'", isTransient: false);
        }

        await using var reader = await statement.ExecuteReaderAsync(cancellationToken);
        await reader.ReadAsync(cancellationToken);
        if (reader.IsDBNull(0))
            return StandInReplies.Ok();
        if (reader.FieldCount > 1 && !reader.IsDBNull(1))
            _continuations[verb.Name == "getMore" ? verb.Value.AsInt64 : reader.GetInt64(2)] = reader.GetFieldValue<byte[]>(1);
        var reply = BsonSerializer.Deserialize<BsonDocument>(reader.GetFieldValue<byte[]>(0));

        // The extension gives the errors of single documents numbers of its own.
        foreach (var error in ErrorsOf(reply))
            error["code"] = DocumentDbReplies.CodeOf(error["code"].ToInt32());
        return reply;
    }

    private static IEnumerable<BsonDocument> ErrorsOf(BsonDocument reply) =>
        reply.TryGetValue("writeErrors", out var errors) ? errors.AsBsonArray.Cast<BsonDocument>() : [];

    private static NpgsqlParameter<byte[]> Bytes(byte[] bytes) => new() { TypedValue = bytes, NpgsqlDbType = NpgsqlDbType.Bytea };
}

using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Runs MongoDB commands on DocumentDB, the document engine in PostgreSQL, by the functions of its extension. A
/// transaction is PostgreSQL's; commands that belong together travel in one round trip.
/// </summary>
internal sealed partial class DocumentDbDatabase : IDocumentDatabase
{
    /// <summary>
    /// The engine's statements look documents up by key, whatever the statistics say; the extension's indexes answer
    /// unsorted through bitmaps. Locks are held for milliseconds: a longer wait is a fault.
    /// </summary>
    private const string PinnedPlans =
        "-c lock_timeout=5s -c enable_seqscan=off -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off";

    /// <summary>
    /// The extension tells of each new collection. The server gives up on a client that has gone: it ends a transaction
    /// that hears nothing, and a connection that answers nothing, within the time that a claim holds. It ends no idle session:
    /// the next caller would notice it, and could not tell whether anything was written.
    /// </summary>
    private const string Session =
        @"-c client_min_messages=warning -c default_transaction_isolation=read\ committed -c idle_in_transaction_session_timeout=10s "
        + "-c idle_session_timeout=0 -c tcp_user_timeout=10s -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 "
        + "-c tcp_keepalives_count=3";

    private const int AnswerSeconds = 10;

    /// <summary>
    /// A host needs a handful; the rest is for those who read single instances, who wait rather than take all the
    /// connections that the server has.
    /// </summary>
    private const int MaxConnections = 24;

    /// <summary>One to extend leases over, and one to take its place.</summary>
    private const int LeaseConnections = 2;

    private const int MaxConflicts = 50;

    private const string Tables =
        "select string_agg('documentdb_data.documents_' || collection_id, ', ') from documentdb_api_catalog.collections "
        + "where database_name = $1 and collection_name = any ($2)";

    /// <summary>After twice this time a listener whose connection has failed unnoticed is replaced.</summary>
    private static readonly TimeSpan ListenHeartbeat = FromSeconds(5);

    private readonly ConnectionSource _hot;
    private readonly ConnectionSource _plain;
    private readonly Lazy<DocumentDbDatabase> _leases;
    private readonly DocumentDbStatements _statements;
    private readonly PostgreSqlHints _hints;
    private readonly PostgreSqlCloseHints _closeHints;
    private long _retries;

    /// <param name="answerSeconds">What one answer of the server to claims and writes may take, in seconds.</param>
    /// <exception cref="ArgumentException">The name is none, or the connection string cannot be read.</exception>
    public DocumentDbDatabase(
        string connectionString,
        string name,
        Func<string, NpgsqlDataSource>? shared = null,
        int answerSeconds = AnswerSeconds,
        int connections = MaxConnections
    )
    {
        if (!Identifier().IsMatch(name))
        {
            throw new ArgumentException(
                $"Database '{name}' is not usable: lower-case letters, digits and underscores, not beginning with a digit, at most 48 "
                    + $"characters."
            );
        }

        Name = name;
        var hot = Options(connectionString, "serdica-perf", Invariant($"{PinnedPlans} -c statement_timeout={answerSeconds}s"));
        hot.MaxPoolSize = Math.Min(hot.MaxPoolSize, connections);
        hot.CommandTimeout = answerSeconds;
        _hot = new(hot.ConnectionString, shared);
        var plain = Options(connectionString, "serdica-perf-admin", "");
        plain.MaxPoolSize = 4;
        _plain = new(plain.ConnectionString, shared);
        _statements = new DocumentDbStatements(name);
        _leases = new(() => new DocumentDbDatabase(connectionString, name, shared, answerSeconds, LeaseConnections));
        var listener = PostgreSqlHints.Listening(plain.ConnectionString, ListenHeartbeat);
        _hints = new PostgreSqlHints(_plain.OpenConnectionAsync, listener, $"{name}_work", elects: true);
        _closeHints = new PostgreSqlCloseHints(_plain.OpenConnectionAsync, listener, $"{name}_closed");
    }

    public string Engine => "documentdb";

    public string Name { get; }

    public bool HearsChanges => true;

    public bool HearsCloses => true;

    public IDocumentDatabase ForLeases => _leases.Value;

    public long Retries => Interlocked.Read(ref _retries) + (_leases.IsValueCreated ? _leases.Value.Retries : 0);

    /// <summary>In one transaction, one process after the other: the others wait as long as it takes and then find nothing to do.</summary>
    public Task DefineAsync(
        IReadOnlyList<string> collections,
        IReadOnlyList<(string Collection, string Field)> indexes,
        CancellationToken cancellationToken
    ) =>
        Try(
            [
                .. collections.Select(static collection => new DocumentDbCommand(new BsonDocument("create", collection))),
                .. indexes.Select(static index => new DocumentDbCommand(IndexOf(index.Collection, index.Field))),
            ],
            async commands =>
            {
                if (commands.Count == 0)
                    return true;
                var connection = await _plain.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
                await using var session = connection.ConfigureAwait(false);
                var transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
                await using var turn = transaction.ConfigureAwait(false);
                using var wait = new NpgsqlCommand("select pg_advisory_xact_lock(hashtextextended($1, 0))", connection)
                {
                    CommandTimeout = 0,
                    Parameters = { new NpgsqlParameter<string> { TypedValue = $"serdica-perf documents {Name}" } },
                };
                await wait.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
                using var definitions = BatchOf(connection, commands, command => Bind(_statements.Reply(command.Name), command));
                definitions.Timeout = 0;
                await definitions.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
                await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
                return true;
            }
        );

    public Task DropAsync(CancellationToken cancellationToken) =>
        RunAsync([new(new BsonDocument("dropDatabase", 1))], relaxed: false, cancellationToken);

    public async Task ReadAsync(IReadOnlyList<DocumentQuery> queries, ReadLevel level, CancellationToken cancellationToken)
    {
        var replies = await RunAsync([.. queries.Select(DocumentDbCommand.Find)], relaxed: false, cancellationToken).ConfigureAwait(false);
        for (var i = 0; i < queries.Count; i++)
            DocumentDbReplies.ReadPage(replies[i], queries[i]);
    }

    public async Task<IReadOnlyList<int>> ClaimAsync(
        IReadOnlyList<StoredDocument> claims,
        IReadOnlyList<DocumentQuery> queries,
        CancellationToken cancellationToken
    )
    {
        var insert = DocumentDbWrites.Inserts(new(Collections.Claims, claims), ordered: false).Single();
        var replies = await RunAsync([insert, .. queries.Select(DocumentDbCommand.Find)], relaxed: true, cancellationToken)
            .ConfigureAwait(false);
        for (var i = 0; i < queries.Count; i++)
            DocumentDbReplies.ReadPage(replies[i + 1], queries[i]);
        return DocumentDbReplies.TakenClaims(replies[0]);
    }

    public async Task DeleteAsync(string collection, BsonDocument filter, CancellationToken cancellationToken)
    {
        var replies = await RunAsync([DocumentDbCommand.Delete(collection, filter)], relaxed: true, cancellationToken)
            .ConfigureAwait(false);
        DocumentDbReplies.ThrowRefusal(replies[0]);
    }

    public Task<bool> WriteAsync(IReadOnlyList<DocumentWrite> writes, CancellationToken cancellationToken) =>
        Try([.. writes.SelectMany(DocumentDbWrites.Commands)], async commands =>
        {
            for (var conflicts = 0; ; conflicts++)
            {
                try
                {
                    await WriteOnceAsync(commands, cancellationToken).ConfigureAwait(false);
                    return true;
                }
                catch (PostgresException e) when (DocumentDbErrors.IsRefusal(e))
                {
                    return false;
                }
                catch (PostgresException e) when (DocumentDbErrors.IsConflict(e) && conflicts < MaxConflicts)
                {
                    Interlocked.Increment(ref _retries);
                    await Task.Delay(Random.Shared.Next(1 + conflicts), cancellationToken).ConfigureAwait(false);
                }
            }
        });

    /// <summary>On one connection, which may hold what a cursor goes on from.</summary>
    public Task ReadSnapshotAsync(IReadOnlyList<DocumentQuery> queries, CancellationToken cancellationToken) =>
        Try([.. queries.Select(DocumentDbCommand.Aggregate)], async commands =>
        {
            var connection = await _plain.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await using var session = connection.ConfigureAwait(false);
            var transaction = await connection
                .BeginTransactionAsync(System.Data.IsolationLevel.RepeatableRead, cancellationToken)
                .ConfigureAwait(false);
            await using var snapshot = transaction.ConfigureAwait(false);
            foreach (var (command, query) in commands.Zip(queries))
            {
                var (continuation, cursor) = await PageAsync(query, _statements.Reply(command.Name), command.Bytes).ConfigureAwait(false);
                var more = new BsonDocument { { "getMore", cursor }, { "collection", query.Collection } }.ToBson();
                while (continuation is not null && cursor != 0)
                    (continuation, _) = await PageAsync(query, _statements.More, more, continuation).ConfigureAwait(false);
            }

            return true;

            async Task<(byte[]? Continuation, long Cursor)> PageAsync(
                DocumentQuery query,
                string sql,
                params ReadOnlyMemory<byte>[] arguments
            )
            {
                using var page = new NpgsqlCommand(sql, connection);
                foreach (var argument in arguments)
                    page.Parameters.Add(Bytes(argument));
                var reader = await page.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using var reading = reader.ConfigureAwait(false);
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                DocumentDbReplies.ReadPage(reader.GetFieldValue<byte[]>(0), query);
                return (reader.IsDBNull(1) ? null : reader.GetFieldValue<byte[]>(1), reader.FieldCount > 2 ? reader.GetInt64(2) : 0);
            }
        });

    public Task WaitForChangeAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        Try(() => _hints.WaitAsync(maximum, cancellationToken));

    public bool? IsFirst => _hints.IsFirst;

    public Task NotifyAsync(CancellationToken cancellationToken) => Try(() => _hints.NotifyAsync("", cancellationToken));

    public Task NotifyAllAsync(CancellationToken cancellationToken) => Try(() => _hints.NotifyAllAsync(cancellationToken));

    public Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        Try([], _ => _closeHints.WaitAsync(maximum, cancellationToken));

    public Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        Try([], _ => _closeHints.NotifyAsync(closed, cancellationToken));

    /// <summary>Frees the places of deleted documents before claims walk over them; skipped where somebody else is at it.</summary>
    public Task MaintainAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken) =>
        Try(async () =>
        {
            var connection = await _plain.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await using var session = connection.ConfigureAwait(false);
            using var find = new NpgsqlCommand(Tables, connection)
            {
                Parameters = { new() { Value = Name }, new() { Value = collections.ToArray() } },
            };
            if (await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false) is not string tables)
                return;

            // Broken off, it would have to read all of the indexes again.
            using var vacuum = new NpgsqlCommand($"vacuum (skip_locked, truncate off, index_cleanup on) {tables}", connection)
            {
                CommandTimeout = 0,
            };
            await vacuum.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        });

    public async ValueTask DisposeAsync()
    {
        if (_leases.IsValueCreated)
            await _leases.Value.DisposeAsync().ConfigureAwait(false);
        await _hints.DisposeAsync().ConfigureAwait(false);
        await _closeHints.DisposeAsync().ConfigureAwait(false);
        await _hot.DisposeAsync().ConfigureAwait(false);
        await _plain.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>All in one round trip, the commit among it: a guard that fails leaves nothing behind.</summary>
    private async Task WriteOnceAsync(IReadOnlyList<DocumentDbCommand> commands, CancellationToken cancellationToken)
    {
        var connection = await _hot.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using var session = connection.ConfigureAwait(false);

        // The statements of one round trip are one transaction by themselves.
        using var batch = BatchOf(connection, commands, command =>
        {
            var statement = Bind(_statements.Guarded(command.Name), command);
            statement.Parameters.Add(new NpgsqlParameter<int> { TypedValue = command.Expected });
            return statement;
        });
        await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    private Task<List<byte[]>> RunAsync(IReadOnlyList<DocumentDbCommand> commands, bool relaxed, CancellationToken cancellationToken) =>
        Try(commands, async commands =>
        {
            var connection = await _hot.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await using var session = connection.ConfigureAwait(false);
            using var batch = BatchOf(connection, commands, command => Bind(_statements.Reply(command.Name), command));
            if (relaxed)
                batch.BatchCommands.Insert(0, new NpgsqlBatchCommand(DocumentDbStatements.Relax));
            var replies = new List<byte[]>(commands.Count);
            var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using var reading = reader.ConfigureAwait(false);
            if (relaxed)
                await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
            do
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                replies.Add(reader.IsDBNull(0) ? [] : reader.GetFieldValue<byte[]>(0));
            } while (await reader.NextResultAsync(cancellationToken).ConfigureAwait(false));
            return replies;
        });

    private static NpgsqlBatch BatchOf(
        NpgsqlConnection connection,
        IReadOnlyList<DocumentDbCommand> commands,
        Func<DocumentDbCommand, NpgsqlBatchCommand> bind
    )
    {
        var batch = new NpgsqlBatch(connection);
        foreach (var command in commands)
            batch.BatchCommands.Add(bind(command));
        return batch;
    }

    private static NpgsqlBatchCommand Bind(string sql, DocumentDbCommand command) => new(sql) { Parameters = { Bytes(command.Bytes) } };

    private static NpgsqlParameter Bytes(ReadOnlyMemory<byte> bytes) =>
        new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = bytes, NpgsqlDbType = NpgsqlDbType.Bytea };

    private static BsonDocument IndexOf(string collection, string field) =>
        BsonDocument.Parse($$"""{ createIndexes: '{{collection}}', indexes: [{ key: { {{field}}: 1 }, name: '{{field}}' }] }""");

    private static NpgsqlConnectionStringBuilder Options(string connectionString, string application, string plans)
    {
        NpgsqlConnectionStringBuilder options;
        try
        {
            options = new NpgsqlConnectionStringBuilder(connectionString);
        }
        catch (ArgumentException)
        {
            // The driver's message may quote the value that it could not read, which may be the password.
            throw new ArgumentException(
                "The DocumentDB connection string cannot be read; it has the form "
                    + "'Host=...;Port=5432;Database=...;Username=...;Password=...'."
            );
        }

        options.ApplicationName = application;
        options.SearchPath = "documentdb_api_catalog,documentdb_api,documentdb_core,public";
        options.NoResetOnClose = true;
        if (!options.TcpKeepAlive && options.TcpKeepAliveTime == 0)
            (options.TcpKeepAliveTime, options.TcpKeepAliveInterval) = (5, 2);
        options.Options = $"{options.Options} {Session} {plans}".Trim();
        if (options.MaxAutoPrepare == 0)
        {
            options.MaxAutoPrepare = 32;
            options.AutoPrepareMinUsages = 2;
        }

        return options;
    }

    private Task Try(Func<Task> run) => Try([], async _ =>
        {
            await run().ConfigureAwait(false);
            return true;
        });

    private async Task<T> Try<T>(IReadOnlyList<DocumentDbCommand> commands, Func<IReadOnlyList<DocumentDbCommand>, Task<T>> run)
    {
        try
        {
            return await run(commands).ConfigureAwait(false);
        }
        catch (Exception e) when (DocumentDbErrors.IsDriverError(e))
        {
            var error = DocumentDbErrors.Wrap(e);

            // A failover leaves sessions behind on a server that only reads: the next call asks for the one that writes.
            if (DocumentErrors.IsFailover(error.Code))
            {
                _hot.Clear();
                _plain.Clear();
            }

            throw error;
        }
        finally
        {
            foreach (var command in commands)
                command.Dispose();
        }
    }

    [GeneratedRegex(@"^[a-z_][a-z0-9_]{0,47}\z")]
    private static partial Regex Identifier();
}

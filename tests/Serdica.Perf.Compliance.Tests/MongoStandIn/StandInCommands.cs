using System.Collections.Concurrent;
using Npgsql;
using NpgsqlTypes;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>Runs MongoDB's commands on DocumentDB, sessions and transactions included.</summary>
internal sealed class StandInCommands : IAsyncDisposable
{
    private static readonly Dictionary<string, DocumentOperation> Operations = new(StringComparer.Ordinal)
    {
        ["find"] = DocumentOperation.Find,
        ["aggregate"] = DocumentOperation.Aggregate,
        ["insert"] = DocumentOperation.Insert,
        ["update"] = DocumentOperation.Update,
        ["delete"] = DocumentOperation.Delete,
        ["create"] = DocumentOperation.Create,
        ["createIndexes"] = DocumentOperation.CreateIndexes,
        ["dropDatabase"] = DocumentOperation.DropDatabase,
    };

    /// <summary>
    /// Conflicts of transactions are errors, not waits. A transaction that is left alone ends, as MongoDB's do by
    /// <c>transactionLifetimeLimitSeconds</c>, whose default this is.
    /// </summary>
    private const string Settings =
        "-c client_min_messages=warning -c lock_timeout=300 -c idle_in_transaction_session_timeout=60s -c enable_seqscan=off "
        + "-c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

    private readonly string _application = $"mongodb-stand-in-{Guid.NewGuid():n}";
    private readonly NpgsqlDataSource _source;
    private readonly StandInTransactions _transactions;
    private readonly StandInChanges _changes = new();
    private readonly ConcurrentDictionary<string, DocumentDbStatements> _statements = new();
    private readonly ConcurrentDictionary<long, byte[]> _continuations = new();

    /// <summary>MongoDB lets definitions race; the extension had better not.</summary>
    private readonly SemaphoreSlim _definitions = new(1, 1);

    public StandInCommands(string connectionString)
    {
        _source = NpgsqlDataSource.Create(new NpgsqlConnectionStringBuilder(connectionString)
        {
            SearchPath = "documentdb_api_catalog,documentdb_api,documentdb_core,public",
            Options = Settings,
            MaxPoolSize = 60,
            ApplicationName = _application,
        });
        _transactions = new(_source);
    }

    /// <summary>What goes wrong next, in this order.</summary>
    public ConcurrentQueue<StandInFault> Faults { get; } = new();

    /// <summary>All commands so far.</summary>
    public ConcurrentQueue<CommandHead> Heads { get; } = new();

    /// <summary>Sessions of PostgreSQL that hold a transaction of this stand-in open and run nothing in it.</summary>
    public async Task<long> CountIdleTransactionsAsync(CancellationToken cancellationToken)
    {
        await using var count = _source.CreateCommand(
            "select count(*) from pg_stat_activity where application_name = $1 and state like 'idle in transaction%'");
        count.Parameters.Add(new() { Value = _application });
        return (long)(await count.ExecuteScalarAsync(cancellationToken))!;
    }

    /// <summary>The reply, which may tell of an error.</summary>
    /// <param name="command">BSON.</param>
    /// <param name="cancellationToken">Set when the client hangs up: the command is killed, and its transaction with it.</param>
    public async Task<byte[]> RunAsync(byte[] command, CancellationToken cancellationToken)
    {
        CommandHead? head = null;
        try
        {
            head = CommandHead.Read(command);
            Heads.Enqueue(head);
            if (!Faults.TryPeek(out var fault) || fault.Verb != head.Verb || !Faults.TryDequeue(out _))
                return await RunAsync(head, command, cancellationToken);
            if (fault.Silent)
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            if (fault.Reply is not null)
                return fault.Reply;
            await RunAsync(head, command, cancellationToken);
            throw new IOException("The answer is lost, as the test wishes.");
        }
        catch (Exception e) when (e is DocumentCommandException or NpgsqlException)
        {
            var error = e as DocumentCommandException ?? DocumentDbErrors.Wrap(e);
            return StandInReplies.Error(error, head is { IsInTransaction: true });
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _transactions.DisposeAsync();
        await _source.DisposeAsync();
        _definitions.Dispose();
    }

    private async Task<byte[]> RunAsync(CommandHead head, byte[] command, CancellationToken cancellationToken)
    {
        switch (head.Verb)
        {
            case "hello" or "isMaster" or "ismaster":
                return StandInReplies.Hello();
            case "ping" or "killCursors":
                return StandInReplies.Ok();
            case "endSessions":
                await _transactions.EndAsync(head.EndedSessions);
                return StandInReplies.Ok();
            case "serverStatus" or "buildInfo":
                return StandInReplies.Status();
            case "commitTransaction":
                await _transactions.CommitAsync(head);

                // A commit does not say where it wrote; a hint too many costs a look.
                foreach (var database in _statements.Keys)
                    _changes.Publish(database);
                return StandInReplies.Ok();
            case "abortTransaction":
                await _transactions.AbortAsync(head);
                return StandInReplies.Ok();
            case "aggregate" when head.ChangesAfter is not null:
                return _changes.Open(head);
            case "getMore" when await _changes.MoreAsync(head, cancellationToken) is { } page:
                return page;
            case "create" or "createIndexes" or "dropDatabase":
                await _definitions.WaitAsync(cancellationToken);
                try
                {
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

    private async Task<byte[]> ExecuteAsync(CommandHead head, byte[] command, CancellationToken cancellationToken)
    {
        if (head.IsInTransaction)
        {
            return await _transactions.RunAsync(
                head,
                async (open, token) => Checked(await ExecuteAsync(head, command, open, token)),
                cancellationToken);
        }

        await using var connection = await _source.OpenConnectionAsync(cancellationToken);
        if (head.Verb is "create" or "createIndexes" or "dropDatabase")
        {
            // The short limit makes conflicts of transactions; a definition waits for whoever uses the tables.
            await using var patience = new NpgsqlCommand("set lock_timeout = '30s'", connection);
            await patience.ExecuteNonQueryAsync(cancellationToken);
        }

        var reply = await ExecuteAsync(head, command, connection, cancellationToken);
        if (head.Collection is "signals" or "store" && head.Verb is "insert" or "update")
            _changes.Publish(head.Database);
        return reply;
    }

    private async Task<byte[]> ExecuteAsync(CommandHead head, byte[] command, NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var statements = _statements.GetOrAdd(head.Database, static name => new DocumentDbStatements(name));
        await using var statement = new NpgsqlCommand { Connection = connection };
        statement.Parameters.Add(Bytes(command));
        if (head.Verb == "getMore")
        {
            statement.CommandText = statements.More;
            statement.Parameters.Add(Bytes(_continuations.TryRemove(head.Number, out var continuation)
                ? continuation
                : throw new DocumentCommandException(43, $"Cursor {head.Number} is not known.", isTransient: false)));
        }
        else if (Operations.TryGetValue(head.Verb, out var operation))
        {
            statement.CommandText = statements.Reply(operation);
        }
        else
        {
            throw new DocumentCommandException(DocumentErrors.CommandNotFound, $"no such command: '{head.Verb}'", isTransient: false);
        }

        await using var reader = await statement.ExecuteReaderAsync(cancellationToken);
        await reader.ReadAsync(cancellationToken);
        if (reader.IsDBNull(0))
            return StandInReplies.Ok();
        if (reader.FieldCount > 1 && !reader.IsDBNull(1))
            _continuations[head.Verb == "getMore" ? head.Number : reader.GetInt64(2)] = reader.GetFieldValue<byte[]>(1);
        return reader.GetFieldValue<byte[]>(0);
    }

    /// <summary>In MongoDB a conflict within a transaction is an error of the command, not of a document.</summary>
    private static byte[] Checked(byte[] reply)
    {
        foreach (var (_, code, message) in new DocumentReply(reply).WriteErrors())
        {
            if (DocumentErrors.IsTransient(code))
                throw new DocumentCommandException(code, message, isTransient: true);
        }

        return reply;
    }

    private static NpgsqlParameter<byte[]> Bytes(byte[] bytes) => new() { TypedValue = bytes, NpgsqlDbType = NpgsqlDbType.Bytea };
}

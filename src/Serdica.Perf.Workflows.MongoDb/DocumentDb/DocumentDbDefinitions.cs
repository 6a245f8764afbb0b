using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Creates collections and indexes in one transaction, one process after the other.</summary>
internal sealed class DocumentDbDefinitions(ConnectionSource source, DocumentDbStatements statements, string database)
{
    private const string Lock = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

    public async Task RunAsync(IReadOnlyList<DocumentDbCommand> commands, CancellationToken cancellationToken)
    {
        var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using var session = connection.ConfigureAwait(false);
        var transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using var turn = transaction.ConfigureAwait(false);

        // One process defines; the others wait here as long as it takes and then find nothing to do.
        var wait = new NpgsqlCommand(Lock, connection)
        {
            CommandTimeout = 0,
            Parameters = { new NpgsqlParameter<string> { TypedValue = $"serdica-perf documents {database}" } },
        };
        await using (wait.ConfigureAwait(false))
            await wait.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);

        var definitions = new NpgsqlBatch(connection) { Timeout = 0 };
        await using (definitions.ConfigureAwait(false))
        {
            foreach (var command in commands)
                definitions.BatchCommands.Add(DocumentDbDatabase.Bind(statements.Reply(command.Name), command));
            await definitions.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }

        await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
    }
}

using Npgsql;
using NpgsqlTypes;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Creates collections and indexes, one process after the other, and waits for indexes: the extension builds those of
/// collections that hold documents in the background.
/// </summary>
internal sealed class DocumentDbDefinitions(NpgsqlDataSource source, DocumentDbStatements statements, string database)
{
    /// <summary>Tried and not waited for: a wait in the server would hold the extension's own work up.</summary>
    private const string Lock = "select pg_try_advisory_lock(hashtextextended($1, 0))";

    private const string Unlock = "select pg_advisory_unlock(hashtextextended($1, 0))";

    private const string BuildStatus =
        "select ok and complete from documentdb_api_internal.check_build_index_status($1::documentdb_core.bson)";

    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(20);

    public async Task RunAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken)
    {
        var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var name = $"serdica-perf documents {database}";
            await UntilAsync(connection, Lock, name, cancellationToken).ConfigureAwait(false);
            try
            {
                foreach (var command in commands)
                    await RunAsync(connection, command, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                await ScalarAsync(connection, Unlock, name, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private async Task RunAsync(NpgsqlConnection connection, DocumentCommand command, CancellationToken cancellationToken)
    {
        string? requests = null;
        var definition = new NpgsqlCommand(statements.Reply(command.Operation), connection);
        await using (definition.ConfigureAwait(false))
        {
            definition.Parameters.Add(new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = command.Bytes, NpgsqlDbType = NpgsqlDbType.Bytea });
            var reader = await definition.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                if (command.Operation == DocumentOperation.CreateIndexes)
                {
                    if (!reader.GetBoolean(1))
                        throw new DocumentCommandException(DocumentErrors.Unknown, $"The indexes of '{command.Collection}' could not be created.", isTransient: true);
                    requests = reader.IsDBNull(2) ? null : reader.GetString(2);
                }
            }
        }

        if (requests is not null)
            await UntilAsync(connection, BuildStatus, requests, cancellationToken).ConfigureAwait(false);
    }

    private static async Task UntilAsync(NpgsqlConnection connection, string sql, string argument, CancellationToken cancellationToken)
    {
        while (await ScalarAsync(connection, sql, argument, cancellationToken).ConfigureAwait(false) is not true)
            await Task.Delay(Poll, cancellationToken).ConfigureAwait(false);
    }

    private static async Task<object?> ScalarAsync(
        NpgsqlConnection connection, string sql, string argument, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(sql, connection) { Parameters = { new NpgsqlParameter<string> { TypedValue = argument } } };
        await using (command.ConfigureAwait(false))
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
    }
}

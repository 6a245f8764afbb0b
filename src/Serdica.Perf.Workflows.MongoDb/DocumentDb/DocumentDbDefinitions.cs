using Npgsql;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Creates collections and indexes, one process after the other, and waits for indexes: the extension builds those of
/// collections that hold documents in the background.
/// </summary>
internal sealed class DocumentDbDefinitions(NpgsqlDataSource source, DocumentDbStatements statements, string database)
{
    private const string Lock = "select pg_advisory_lock(hashtextextended($1, 0))";
    private const string Unlock = "select pg_advisory_unlock(hashtextextended($1, 0))";
    private const string BuildStatus =
        "select ok and complete from documentdb_api_internal.check_build_index_status($1::documentdb_core.bson)";

    private static readonly TimeSpan BuildPoll = TimeSpan.FromMilliseconds(100);

    public async Task<DocumentReply> RunAsync(DocumentCommand command, CancellationToken cancellationToken)
    {
        var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var name = $"serdica-perf documents {database}";
            await ScalarAsync(connection, Lock, name, cancellationToken).ConfigureAwait(false);
            try
            {
                return await RunAsync(connection, command, cancellationToken).ConfigureAwait(false);
            }
            finally
            {
                await ScalarAsync(connection, Unlock, name, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private async Task<DocumentReply> RunAsync(NpgsqlConnection connection, DocumentCommand command, CancellationToken cancellationToken)
    {
        DocumentReply reply;
        string? requests = null;
        var definition = new NpgsqlCommand(statements.Reply(command.Operation), connection);
        await using (definition.ConfigureAwait(false))
        {
            definition.Parameters.Add(new NpgsqlParameter<ReadOnlyMemory<byte>> { TypedValue = command.Bytes, NpgsqlDbType = NpgsqlTypes.NpgsqlDbType.Bytea });
            var reader = await definition.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                reply = new(reader.GetFieldValue<byte[]>(0));
                if (command.Operation == DocumentOperation.CreateIndexes)
                {
                    if (!reader.GetBoolean(1))
                        throw new DocumentCommandException(DocumentErrors.Unknown, $"The indexes of '{command.Collection}' could not be created.", isTransient: true);
                    requests = reader.IsDBNull(2) ? null : reader.GetString(2);
                }
            }
        }

        while (requests is not null
            && await ScalarAsync(connection, BuildStatus, requests, cancellationToken).ConfigureAwait(false) is not true)
            await Task.Delay(BuildPoll, cancellationToken).ConfigureAwait(false);
        return reply;
    }

    private static async Task<object?> ScalarAsync(
        NpgsqlConnection connection, string sql, string argument, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(sql, connection) { Parameters = { new NpgsqlParameter<string> { TypedValue = argument } } };
        await using (command.ConfigureAwait(false))
            return await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false);
    }
}

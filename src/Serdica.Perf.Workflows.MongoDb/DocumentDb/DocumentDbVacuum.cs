using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Frees the places of deleted documents before claims have to walk over them; skipped where somebody else is at it.
/// </summary>
internal sealed class DocumentDbVacuum(ConnectionSource source, string database)
{
    public async Task RunAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken)
    {
        var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
        await using var session = connection.ConfigureAwait(false);
        var tables = await TablesAsync(connection, collections, cancellationToken).ConfigureAwait(false);
        if (tables.Count == 0)
            return;
        var vacuum = new NpgsqlCommand($"vacuum (skip_locked, truncate off, index_cleanup on) {string.Join(", ", tables)}", connection);

        // Broken off, it would have to read all of the indexes again.
        vacuum.CommandTimeout = 0;
        await using var vacuuming = vacuum.ConfigureAwait(false);
        await vacuum.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task<List<string>> TablesAsync(
        NpgsqlConnection connection,
        IReadOnlyList<string> collections,
        CancellationToken cancellationToken
    )
    {
        var command = new NpgsqlCommand(
            "select collection_id from documentdb_api_catalog.collections where database_name = $1 and collection_name = any ($2)",
            connection
        )
        {
            Parameters =
            {
                new() { Value = database },
                new() { Value = collections.ToArray() },
            },
        };
        await using var asking = command.ConfigureAwait(false);
        var tables = new List<string>();
        var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using var reading = reader.ConfigureAwait(false);
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
            tables.Add($"documentdb_data.documents_{reader.GetInt64(0)}");
        return tables;
    }
}

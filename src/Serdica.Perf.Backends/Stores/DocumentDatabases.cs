using Npgsql;

namespace Serdica.Perf.Backends.Stores;

/// <summary>Lists the document databases that are named as the suite names its own.</summary>
internal static class DocumentDatabases
{
    private const string Find = $"""
        select distinct database_name from documentdb_api_catalog.collections
        where database_name ~ '^{DocumentStores.Prefix}[a-z0-9_]+$' order by 1
        """;

    /// <summary>Asks MongoDB.</summary>
    public static async Task<IReadOnlyList<string>> OnMongoDbAsync(string connectionString, CancellationToken cancellationToken)
    {
        var server = new MongoDriverServer(connectionString, MongoDriver.Application);
        await using (server.ConfigureAwait(false))
        {
            var reply = await server
                .RunAsync("admin", new() { { "listDatabases", 1 }, { "nameOnly", true } }, cancellationToken)
                .ConfigureAwait(false);
            return
            [
                .. reply["databases"]
                    .AsBsonArray.Select(static database => database["name"].AsString)
                    .Where(static name => name.StartsWith(DocumentStores.Prefix, Ordinal))
                    .Order(StringComparer.Ordinal),
            ];
        }
    }

    /// <summary>Asks the catalog of the extension, which has no such command.</summary>
    public static async Task<IReadOnlyList<string>> OnDocumentDbAsync(string connectionString, CancellationToken cancellationToken)
    {
        try
        {
            var connection = new NpgsqlConnection(new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false }.ConnectionString);
            await using (connection.ConfigureAwait(false))
            {
                await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
                var command = new NpgsqlCommand(Find, connection);
                await using (command.ConfigureAwait(false))
                {
                    var names = new List<string>();
                    var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                    await using (reader.ConfigureAwait(false))
                    {
                        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                            names.Add(reader.GetString(0));
                    }

                    return names;
                }
            }
        }
        catch (Exception e) when (DocumentDbErrors.IsDriverError(e))
        {
            throw DocumentDbErrors.Wrap(e);
        }
    }
}

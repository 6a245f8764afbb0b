using Npgsql;

namespace Serdica.Perf.Backends.Stores;

/// <summary>Lists the document databases that are named as the suite names its own.</summary>
internal static class DocumentDatabases
{
    private const string Find = $"""
        select array(
            select distinct database_name from documentdb_api_catalog.collections
            where database_name ~ '^{DocumentStores.Prefix}[a-z0-9_]+$' order by 1
        )
        """;

    /// <summary>Asks MongoDB.</summary>
    public static async Task<IReadOnlyList<string>> OnMongoDbAsync(string connectionString, CancellationToken cancellationToken)
    {
        await using (var server = new MongoDriverServer(connectionString, MongoDriver.Application))
        {
            var reply = await server.RunAsync("admin", new() { { "listDatabases", 1 }, { "nameOnly", true } }, cancellationToken);
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
            await using (
                var connection = new NpgsqlConnection(
                    new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false }.ConnectionString
                )
            )
            {
                await connection.OpenAsync(cancellationToken);
                await using (var command = new NpgsqlCommand(Find, connection))
                    return (string[])(await command.ExecuteScalarAsync(cancellationToken))!;
            }
        }
        catch (Exception e) when (DocumentDbErrors.IsDriverError(e))
        {
            throw DocumentDbErrors.Wrap(e);
        }
    }
}

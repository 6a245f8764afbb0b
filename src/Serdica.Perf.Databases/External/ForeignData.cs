namespace Serdica.Perf.Databases.External;

/// <summary>
/// Finds data on a server that are neither the suite's (schemas and document databases named <c>serdica_perf_*</c>) nor the
/// server's own: further databases, and tables in the database that the connection string names.
/// </summary>
internal static class ForeignData
{
    private const int Shown = 3;

    // What belongs to an extension is the server's own; documents lie in tables that the extension makes for each collection.
    private const string Find = """
        select 'database ' || datname from pg_catalog.pg_database
        where not datistemplate and datname <> 'postgres' and datname <> current_database()
          and datname not in ('rdsadmin', 'azure_maintenance', 'azure_sys', 'cloudsqladmin', 'alloydbadmin')
        union all
        select 'table ' || n.nspname || '.' || c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'm', 'f')
          and n.nspname not in ('pg_catalog', 'information_schema', 'documentdb_data') and n.nspname !~ '^(pg_toast|pg_temp|serdica_perf_)'
          and not exists (select from pg_catalog.pg_depend d
            where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
        order by 1
        """;

    private const string HasCollections = "select to_regclass('documentdb_api_catalog.collections') is not null";

    // The extension has a collection of its own for each database.
    private const string FindCollections = """
        select distinct 'document database ' || database_name from documentdb_api_catalog.collections
        where database_name !~ '^serdica_perf_' and collection_name not like 'system.%' order by 1
        """;

    /// <summary>The first few of what was found, and how many there are; <see langword="null"/> when there is nothing.</summary>
    public static async Task<string?> FindAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var found = await NamesAsync(connection, Find, cancellationToken);
        await using var has = new NpgsqlCommand(HasCollections, connection);
        if (await has.ExecuteScalarAsync(cancellationToken) is true)
            found.AddRange(await NamesAsync(connection, FindCollections, cancellationToken));

        return found.Count == 0
            ? null
            : string.Join(", ", found.Take(Shown)) + (found.Count > Shown ? $" and {found.Count - Shown} more" : "");
    }

    private static async Task<List<string>> NamesAsync(NpgsqlConnection connection, string query, CancellationToken cancellationToken)
    {
        var names = new List<string>();
        await using var command = new NpgsqlCommand(query, connection);
        await using var reader = await command.ExecuteReaderAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken))
            names.Add(reader.GetString(0));
        return names;
    }
}

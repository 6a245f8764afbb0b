using System.Data.Common;

namespace Serdica.Perf.Backends.Stores;

/// <summary>
/// Stores as tables, queues and a package under one prefix in the schema of the connection's user, who owns them; the marker
/// is the one row of a table that is made first and dropped last.
/// </summary>
/// <remarks>It has never met a real server: see docs/oracle-first-run.md.</remarks>
internal sealed class OracleStores(OracleBackendOptions server) : IStoreServer
{
    public const string Prefix = "SWF_";

    private const string Suffix = "_MADE_BY";

    // Each store has a table with the version of its schema; a marker without one is of a store that is half made or half dropped.
    private const string Find = """
        SELECT DISTINCT REGEXP_SUBSTR(table_name, '^SWF_[0-9A-F]{32}') FROM user_tables
        WHERE REGEXP_LIKE(table_name, '^SWF_[0-9A-F]{32}_(SCHEMA|MADE_BY)$') ORDER BY 1
        """;

    private static readonly DriverErrors Errors = new(OracleErrors.IsDriverError, OracleErrors.Wrap);

    public async Task MakeAsync(string name, StoreMarker marker)
    {
        await ExecuteAsync("make a table", $"CREATE TABLE {name}{Suffix} (marker VARCHAR2(4000) NOT NULL)");
        await ExecuteAsync("mark its store", $"INSERT INTO {name}{Suffix} (marker) VALUES (:1)", marker);
    }

    public Task RenewAsync(string name, StoreMarker marker) =>
        ExecuteAsync("mark its store", $"UPDATE {name}{Suffix} SET marker = :1", marker);

    public async Task<IReadOnlyList<FoundStore>> FindAsync(CancellationToken cancellationToken)
    {
        var found = new List<FoundStore>();
        foreach (var name in await ReadAsync("list its tables", Find, cancellationToken))
            found.Add(new(name, await MarkerAsync(name, cancellationToken)));
        return found;
    }

    public async Task DropAsync(string name, CancellationToken cancellationToken)
    {
        await using (var backend = new OracleWorkflowBackend(server with { Prefix = name }))
            await backend.DropSchemaAsync(cancellationToken);
        try
        {
            await ExecuteAsync("drop a marker", $"DROP TABLE {name}{Suffix} PURGE");
        }
        catch (WorkflowBackendException e) when (OracleErrors.Has(e, OracleErrors.MissingTable))
        {
            // Another process was quicker.
        }
    }

    private async Task<StoreMarker?> MarkerAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            var rows = await ReadAsync("read a marker", $"SELECT marker FROM {name}{Suffix}", cancellationToken);
            return rows is [var text] ? StoreMarker.Parse(text) : null;
        }
        catch (WorkflowBackendException e) when (OracleErrors.Has(e, OracleErrors.MissingTable))
        {
            return null;
        }
    }

    private Task ExecuteAsync(string operation, string sql, StoreMarker? marker = null) =>
        UseAsync(
            operation,
            sql,
            command =>
            {
                if (marker is not null)
                {
                    var parameter = command.CreateParameter();
                    parameter.Value = marker.ToString();
                    command.Parameters.Add(parameter);
                }

                return command.ExecuteNonQueryAsync(CancellationToken.None);
            },
            CancellationToken.None
        );

    private Task<List<string>> ReadAsync(string operation, string sql, CancellationToken cancellationToken) =>
        UseAsync(
            operation,
            sql,
            async command =>
            {
                var rows = new List<string>();
                await using (var reader = await command.ExecuteReaderAsync(cancellationToken))
                {
                    while (await reader.ReadAsync(cancellationToken))
                        rows.Add(reader.GetString(0));
                }

                return rows;
            },
            cancellationToken
        );

    private Task<T> UseAsync<T>(string operation, string sql, Func<DbCommand, Task<T>> use, CancellationToken cancellationToken) =>
        Errors.WrapAsync(operation, async () =>
        {
            await using (
                var connection = (server.Factory ?? OracleDriver.Find()).CreateConnection()
                    ?? throw new WorkflowBackendException("The Oracle driver makes no connections.", isTransient: false)
            )
            {
                connection.ConnectionString = server.ConnectionString;
                await connection.OpenAsync(cancellationToken);
                await using (var command = connection.CreateCommand())
                {
                    command.CommandText = sql;
                    return await use(command);
                }
            }
        });
}

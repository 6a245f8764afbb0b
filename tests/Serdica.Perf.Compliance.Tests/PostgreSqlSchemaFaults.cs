namespace Serdica.Perf.Compliance;

/// <summary>Tests that do with SQL what an engine does not do to its schema.</summary>
public abstract class PostgreSqlSchemaFaults(PostgreSqlFixture fixture) : WorkflowBackendCompliance(fixture)
{
    protected override bool BorrowsSchema => false;

    private protected PostgreSqlBackendOptions Options => ((PostgreSqlTestSchema)TestSchema).Options;

    private protected string Schema => Options.Schema;

    /// <summary>A backend that connects with other settings.</summary>
    private protected PostgreSqlWorkflowBackend ConnectWith(string settings) =>
        new(Options with { ConnectionString = $"{Options.ConnectionString};{settings}" });

    private protected async Task<NpgsqlConnection> OpenAsync()
    {
        var connection = new NpgsqlConnection(Options.ConnectionString);
        await connection.OpenAsync(Token);
        return connection;
    }

    /// <returns>The number of rows.</returns>
    private protected static async Task<int> ExecuteAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        return await command.ExecuteNonQueryAsync(Token);
    }

    /// <summary>Whether somebody waits for the open transaction of this connection.</summary>
    private protected static async Task<bool> BlocksSomebodyAsync(NpgsqlConnection connection)
    {
        await using var command = new NpgsqlCommand(
            "select exists (select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid)))",
            connection
        );
        return (bool)(await command.ExecuteScalarAsync(Token))!;
    }
}

using Npgsql;

namespace Serdica.Perf.Compliance;

/// <summary>Tests that do with SQL what an engine does not do to its schema.</summary>
public abstract class PostgreSqlSchemaFaults(PostgreSqlFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private protected PostgreSqlBackendOptions Options => ((PostgreSqlTestSchema)TestSchema).Options;

    private protected string Schema => Options.Schema;

    private protected async Task<NpgsqlConnection> OpenAsync()
    {
        var connection = new NpgsqlConnection(Options.ConnectionString);
        await connection.OpenAsync(Token);
        return connection;
    }

    private protected static async Task ExecuteAsync(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync(Token);
    }
}

namespace Serdica.Perf.Faults.Tests;

/// <summary>SQL on connections that no pool keeps.</summary>
internal static class Sql
{
    public static async Task<NpgsqlConnection> OpenAsync(string connectionString)
    {
        var settings = new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false };
        var connection = new NpgsqlConnection(settings.ConnectionString);
        await connection.OpenAsync(Token);
        return connection;
    }

    public static async Task ExecuteAsync(NpgsqlConnection connection, string statements)
    {
        await using var command = new NpgsqlCommand(statements, connection);
        await command.ExecuteNonQueryAsync(Token);
    }

    /// <summary>All in one round trip, by the protocol that prepares.</summary>
    public static async Task BatchAsync(NpgsqlConnection connection, params string[] statements)
    {
        await using var batch = new NpgsqlBatch(connection);
        foreach (var statement in statements)
            batch.BatchCommands.Add(new NpgsqlBatchCommand(statement));
        await batch.ExecuteNonQueryAsync(Token);
    }

    /// <summary>A table with a name of its own, beside all proxies.</summary>
    public static async Task<string> MakeTableAsync(DatabaseServer server)
    {
        var table = $"t{Guid.NewGuid():N}";
        await using var connection = await OpenAsync(server.ConnectionString);
        await ExecuteAsync(connection, $"create table {table} (n integer primary key)");
        return table;
    }

    public static async Task<long> CountAsync(DatabaseServer server, string table)
    {
        await using var connection = await OpenAsync(server.ConnectionString);
        await using var command = new NpgsqlCommand($"select count(*) from {table}", connection);
        return (long)(await command.ExecuteScalarAsync(Token))!;
    }

    /// <summary>Waits until something is so that nothing announces.</summary>
    public static async Task UntilAsync(Func<Task<bool>> isSo)
    {
        while (!await isSo())
            await Task.Delay(1, Token);
    }
}

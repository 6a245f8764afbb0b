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

    private protected async Task<int> ExecuteAsync(string sql)
    {
        await using var connection = await OpenAsync();
        return await ExecuteAsync(connection, sql);
    }

    /// <summary>Has a trigger run a statement.</summary>
    private protected async Task TriggerAsync(string when, string statement)
    {
        await ExecuteAsync(
            $"""
            create function {Schema}.run() returns trigger language plpgsql as $$ begin {statement}; return new; end $$;
            create trigger run {when} execute function {Schema}.run()
            """
        );
    }

    private protected static async Task<T> ScalarAsync<T>(NpgsqlConnection connection, string sql)
    {
        await using var command = new NpgsqlCommand(sql, connection);
        return (T)(await command.ExecuteScalarAsync(Token))!;
    }

    /// <summary>Whether somebody waits for the open transaction of this connection.</summary>
    private protected static Task<bool> BlocksSomebodyAsync(NpgsqlConnection connection) =>
        ScalarAsync<bool>(
            connection,
            "select exists (select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid)))"
        );

    /// <summary>Ends the connection whose idle transaction has such a lock, and waits for its end.</summary>
    private protected void EndIdle(string held)
    {
        using var connection = new NpgsqlConnection(Options.ConnectionString);
        connection.Open();
        using var command = new NpgsqlCommand(
            $"""
            select bool_and(pg_terminate_backend(l.pid, 20000))
            from pg_locks l
            join pg_stat_activity a on a.pid = l.pid
            where {held} and a.state = 'idle in transaction'
            """,
            connection
        );
        Assert.Equal(true, command.ExecuteScalar());
    }

    /// <summary>A direct write that waits at a gate.</summary>
    private protected async Task<Task> SubmitAtAsync(RowGate gate, SignalSubmission direct)
    {
        var submitting = gate.Backend.SubmitDirectAsync(direct);
        await Eventually(() => gate.IsWaitedForAsync(Token), "the direct write waits at the gate");
        return submitting;
    }
}

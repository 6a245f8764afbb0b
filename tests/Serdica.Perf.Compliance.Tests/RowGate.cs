namespace Serdica.Perf.Compliance;

/// <summary>Statements of its backend wait at the rows of instances until it is opened.</summary>
internal sealed class RowGate : IAsyncDisposable
{
    private readonly NpgsqlConnection _connection;
    private readonly int _key = Random.Shared.Next();
    private readonly string _role = $"gated_{Guid.NewGuid():n}";

    private RowGate(NpgsqlConnection connection, PostgreSqlBackendOptions options)
    {
        _connection = connection;
        var settings = new NpgsqlConnectionStringBuilder(options.ConnectionString) { Username = _role, Password = "gated" };
        Backend = new PostgreSqlWorkflowBackend(options with { ConnectionString = settings.ConnectionString });
    }

    public PostgreSqlWorkflowBackend Backend { get; }

    /// <summary>A closed gate on a schema.</summary>
    /// <param name="at">The only instance that it stands at; null: at all of them.</param>
    public static async Task<RowGate> OnAsync(PostgreSqlBackendOptions options, CancellationToken cancellationToken, Guid? at = null)
    {
        var connection = new NpgsqlConnection(options.ConnectionString);
        await connection.OpenAsync(cancellationToken);
        var gate = new RowGate(connection, options);

        // A policy is asked for each row before anything else of its statement, and not for rows of superusers.
        await gate.ExecuteAsync(
            $"""
            create role {gate._role} login password 'gated';
            grant usage, create on schema {options.Schema} to {gate._role};
            grant all on all tables in schema {options.Schema} to {gate._role};
            create function {options.Schema}.gate() returns boolean language plpgsql volatile as $$ begin
                perform pg_advisory_lock_shared({gate._key});
                perform pg_advisory_unlock_shared({gate._key});
                return true;
            end $$;
            alter table {options.Schema}.instance enable row level security;
            create policy gate on {options.Schema}.instance using (id <> {(at is null ? "id" : $"'{at}'")} or {options.Schema}.gate())
                with check (true)
            """,
            cancellationToken
        );
        await gate.CloseAsync(cancellationToken);
        return gate;
    }

    public async Task<bool> IsWaitedForAsync(CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(
            $"select exists (select from pg_locks where locktype = 'advisory' and objid = {_key} and not granted)",
            _connection
        );
        return (bool)(await command.ExecuteScalarAsync(cancellationToken))!;
    }

    public Task OpenAsync(CancellationToken cancellationToken) => ExecuteAsync($"select pg_advisory_unlock({_key})", cancellationToken);

    public Task CloseAsync(CancellationToken cancellationToken) => ExecuteAsync($"select pg_advisory_lock({_key})", cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await Backend.DisposeAsync();
        await ExecuteAsync($"drop owned by {_role} cascade; drop role {_role}", CancellationToken.None);
        await _connection.DisposeAsync();
    }

    private async Task ExecuteAsync(string sql, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand(sql, _connection);
        await command.ExecuteNonQueryAsync(cancellationToken);
    }
}

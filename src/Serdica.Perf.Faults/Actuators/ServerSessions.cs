using Npgsql;

namespace Serdica.Perf.Faults.Actuators;

/// <summary>What a run does to the sessions of a server of the PostgreSQL family, by SQL and beside the proxy.</summary>
internal sealed class ServerSessions(string connectionString)
{
    private const string Kill = """
        select count(*) filter (where pg_terminate_backend(pid))
        from (
            select pid from pg_stat_activity
            where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> $1
            order by random() limit $2) as victim
        """;

    private const string Age = "select coalesce(age(backend_xmin), 0) from pg_stat_activity where pid = $1";
    private const string Blocked = "select count(*) from pg_stat_activity where $1 = any (pg_blocking_pids(pid))";

    /// <summary>Without those that the nodes of Citus have to each other: each session keeps one to each node that it has used.</summary>
    private const string Sessions = """
        select count(*) from pg_stat_activity where backend_type = 'client backend' and application_name not like 'citus_internal%'
        """;

    private const string Collection = """
        select 'documentdb_data.documents_' || collection_id
        from documentdb_api_catalog.collections where database_name = $1 and collection_name = $2
        """;

    private const string Own = "serdica-perf-faults";

    /// <summary>The name of a column and of an index that a fault adds.</summary>
    private const string Added = "added_by_fault";

    /// <summary>The name of the tablespace on a volume that a fault fills.</summary>
    private const string Volume = "filled_by_fault";

    // Faults are rare: none of them leaves a connection behind.
    private readonly string _connectionString = new NpgsqlConnectionStringBuilder(connectionString)
    {
        ApplicationName = Own,
        Pooling = false,
    }.ConnectionString;

    /// <summary>Ends sessions of others, chosen at random.</summary>
    /// <returns>How many.</returns>
    public Task<long> KillAsync(int most, CancellationToken cancellationToken) => ScalarAsync<long>(Kill, cancellationToken, Own, most);

    /// <summary>Opens a transaction that reads, and leaves it open: the server may forget nothing that was deleted since.</summary>
    public Task<HeldTransaction> HoldSnapshotAsync(CancellationToken cancellationToken) =>
        HoldAsync("begin isolation level repeatable read; select count(*) from pg_class", cancellationToken);

    /// <summary>Lets tables that are created from now on lie in a folder that the server owns.</summary>
    public async Task UseVolumeAsync(string folder, CancellationToken cancellationToken)
    {
        var place = folder.Replace("'", "''", Ordinal);
        var database = new NpgsqlConnectionStringBuilder(_connectionString).Database;
        await ScalarAsync<object>($"create tablespace {Volume} location '{place}'", cancellationToken);
        await ScalarAsync<object>($"alter database \"{database}\" set default_tablespace = {Volume}", cancellationToken);
    }

    /// <summary>Locks a table against writers.</summary>
    public Task<HeldTransaction> LockAsync(string table, CancellationToken cancellationToken) =>
        HoldAsync($"begin; lock table {table} in share mode", cancellationToken);

    /// <summary>Adds a column to a table; it waits for all who use the table.</summary>
    public Task AddColumnAsync(string table, CancellationToken cancellationToken) =>
        ScalarAsync<object>($"alter table {table} add column {Added} integer default 1", cancellationToken);

    /// <summary>Drops the column of <see cref="AddColumnAsync"/>.</summary>
    public Task DropColumnAsync(string table, CancellationToken cancellationToken) =>
        ScalarAsync<object>($"alter table {table} drop column {Added}", cancellationToken);

    /// <summary>Adds an index to a table, for which all writers wait, and drops it, for which all wait.</summary>
    public async Task AddAndDropIndexAsync(string table, CancellationToken cancellationToken)
    {
        await ScalarAsync<object>($"create index {Added} on {table} ((1))", cancellationToken);
        await ScalarAsync<object>($"drop index {table[..table.LastIndexOf('.')]}.{Added}", cancellationToken);
    }

    /// <summary>The table in which DocumentDB keeps a collection.</summary>
    public Task<string> TableAsync(string database, string collection, CancellationToken cancellationToken) =>
        ScalarAsync<string>(Collection, cancellationToken, database, collection);

    /// <summary>Sessions of clients, that of the question included.</summary>
    /// <param name="limit">The answer where the server has no room for the question.</param>
    public async Task<long> CountAsync(long limit, CancellationToken cancellationToken)
    {
        try
        {
            return await ScalarAsync<long>(Sessions, cancellationToken);
        }
        catch (PostgresException e) when (e.SqlState == PostgresErrorCodes.TooManyConnections)
        {
            return limit;
        }
    }

    /// <summary>Transactions that the server has counted since the snapshot was taken.</summary>
    public async Task<long> AgeAsync(HeldTransaction held, CancellationToken cancellationToken) =>
        await ScalarAsync<int>(Age, cancellationToken, held.Session);

    /// <summary>Sessions that wait for the transaction now.</summary>
    public Task<long> BlockedAsync(HeldTransaction held, CancellationToken cancellationToken) =>
        ScalarAsync<long>(Blocked, cancellationToken, held.Session);

    private async Task<HeldTransaction> HoldAsync(string statements, CancellationToken cancellationToken)
    {
        var connection = new NpgsqlConnection(_connectionString);
        try
        {
            await connection.OpenAsync(cancellationToken);
            await using (var command = new NpgsqlCommand(statements, connection))
                await command.ExecuteNonQueryAsync(cancellationToken);
            return new HeldTransaction(connection);
        }
        catch
        {
            await connection.DisposeAsync();
            throw;
        }
    }

    private async Task<T> ScalarAsync<T>(string sql, CancellationToken cancellationToken, params object[] parameters)
    {
        await using (var connection = new NpgsqlConnection(_connectionString))
        {
            await connection.OpenAsync(cancellationToken);
            await using (var command = new NpgsqlCommand(sql, connection))
            {
                foreach (var parameter in parameters)
                    command.Parameters.Add(new NpgsqlParameter { Value = parameter });
                return await command.ExecuteScalarAsync(cancellationToken) is T value ? value : default!;
            }
        }
    }
}

/// <summary>An open transaction of this process; it ends with this object, or with the process.</summary>
internal sealed class HeldTransaction(NpgsqlConnection connection) : IAsyncDisposable
{
    /// <value>The process id of its session.</value>
    public int Session { get; } = connection.ProcessID;

    public ValueTask DisposeAsync() => connection.DisposeAsync();
}

using Npgsql;

namespace Serdica.Perf.Backends.Stores;

/// <summary>Stores as schemas; the marker is the comment of the schema.</summary>
internal sealed class PostgreSqlStores : IStoreServer
{
    public const string Prefix = "serdica_perf_";

    private const int MostDrops = 5;

    private const string Find = $"""
        select nspname, obj_description(oid, 'pg_namespace'), pg_get_userbyid(nspowner) = current_user
        from pg_catalog.pg_namespace where nspname ~ '^{Prefix}[a-z0-9_]+$' order by nspname
        """;

    private static readonly DriverErrors Errors = new(PostgreSqlErrors.IsDriverError, PostgreSqlErrors.Wrap);

    private readonly string _connectionString;

    /// <exception cref="ArgumentException">The connection string cannot be read.</exception>
    public PostgreSqlStores(string connectionString)
    {
        new PostgreSqlBackendOptions { ConnectionString = connectionString }.Validate();

        // Calls are rare: none of them leaves a connection behind.
        _connectionString = new NpgsqlConnectionStringBuilder(connectionString)
        {
            ApplicationName = "serdica-perf-stores",
            Pooling = false,
        }.ConnectionString;
    }

    /// <summary>The statement that marks a schema of ours.</summary>
    public static string Mark(string schema, StoreMarker marker)
    {
        // JSON may contain both characters that a literal must escape.
        var text = marker.ToString().Replace(@"\", @"\\", Ordinal).Replace("'", "''", Ordinal);
        return $"comment on schema {schema} is E'{text}'";
    }

    public Task MakeAsync(string name, StoreMarker marker) =>
        // Several statements in one message are one transaction.
        ExecuteAsync("make a schema", $"create schema {name}; {Mark(name, marker)}", CancellationToken.None);

    public Task RenewAsync(string name, StoreMarker marker) => ExecuteAsync("mark its schema", Mark(name, marker), CancellationToken.None);

    public Task<IReadOnlyList<FoundStore>> FindAsync(CancellationToken cancellationToken) =>
        UseAsync<IReadOnlyList<FoundStore>>(
            "list its schemas",
            Find,
            async command =>
            {
                var found = new List<FoundStore>();
                await using (var reader = await command.ExecuteReaderAsync(cancellationToken))
                {
                    while (await reader.ReadAsync(cancellationToken))
                        found.Add(
                            new(
                                reader.GetString(0),
                                reader.IsDBNull(1) ? null : StoreMarker.Parse(reader.GetString(1)),
                                reader.GetBoolean(2)
                            )
                        );
                }

                return found;
            },
            cancellationToken
        );

    /// <remarks>
    /// A host on another machine may still claim, and lock the tables in another order. It has nothing left to do, so few tries suffice.
    /// </remarks>
    public async Task DropAsync(string name, CancellationToken cancellationToken)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                await ExecuteAsync("drop a schema", $"drop schema if exists {name} cascade", cancellationToken);
                return;
            }
            catch (WorkflowBackendException e) when (e.Code == PostgresErrorCodes.DeadlockDetected && tries < MostDrops)
            {
                // Rolled back as a whole.
            }
        }
    }

    private Task ExecuteAsync(string operation, string sql, CancellationToken cancellationToken) =>
        UseAsync(operation, sql, command => command.ExecuteNonQueryAsync(cancellationToken), cancellationToken);

    private Task<T> UseAsync<T>(string operation, string sql, Func<NpgsqlCommand, Task<T>> use, CancellationToken cancellationToken) =>
        Errors.WrapAsync(operation, async () =>
        {
            await using (var connection = new NpgsqlConnection(_connectionString))
            {
                await connection.OpenAsync(cancellationToken);
                await using (var command = new NpgsqlCommand(sql, connection))
                    return await use(command);
            }
        });
}

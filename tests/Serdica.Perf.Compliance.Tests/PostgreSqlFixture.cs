namespace Serdica.Perf.Compliance;

/// <summary>A PostgreSQL server; one schema for each test.</summary>
public sealed class PostgreSqlFixture() : ServerFixture(DatabaseEnvironment.PostgreSql), IBackendFixture
{
    private readonly SharedConnections _shared = new();
    private readonly KeptStores _kept = new();

    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        SchemaOf(await NewOptionsAsync(cancellationToken));

    public Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) => BorrowAsync(cancellationToken);

    internal async Task<IBackendSchema> BorrowAsync(CancellationToken cancellationToken, bool isPooled = false)
    {
        var options = await NewOptionsAsync(cancellationToken);
        var schema = _kept.Take(() => options.Schema);

        return new PostgreSqlTestSchema(options with { Schema = schema, TransactionPooling = isPooled, SharedSources = _shared.Of }, () =>
            _kept.KeepAsync(schema, _shared.ExecuteAsync(options.ConnectionString, Emptying(schema)))
        );
    }

    /// <summary>
    /// The statement that empties all tables of a schema but the one of its version. The lock waits for what a test has left open, as a
    /// drop does.
    /// </summary>
    private static string Emptying(string schema) =>
        $"""
            do $$
            declare places text[] := array(
                select format('%I.%I', schemaname, tablename) from pg_tables
                where schemaname = '{schema}' and tablename <> 'schema_version' order by tablename
            );
            declare place text;
            begin
                execute 'lock table ' || array_to_string(places, ', ');
                foreach place in array places loop
                    execute 'delete from ' || place;
                end loop;
            end $$
            """;

    /// <summary>A busy disk may take longer than an application would wait, above all for 20 MB in one batch.</summary>
    internal static PostgreSqlBackendOptions Patient { get; } =
        new()
        {
            ConnectionString = "",
            SubmitTimeout = FromSeconds(30),
            ClaimTimeout = FromSeconds(30),
            ListenHeartbeat = FromSeconds(30),
        };

    /// <summary>Options of a schema that nobody else uses; skips the test when this machine has no server.</summary>
    public async Task<PostgreSqlBackendOptions> NewOptionsAsync(CancellationToken cancellationToken)
    {
        var server = await ServerAsync(cancellationToken);
        return Patient with { ConnectionString = server.ConnectionString, Schema = PostgreSqlTestSchema.NewName() };
    }

    public override async ValueTask DisposeAsync()
    {
        await _shared.DisposeAsync();
        await base.DisposeAsync();
    }

    /// <summary>The schema of these options, which is dropped when it is disposed of.</summary>
    internal IBackendSchema SchemaOf(PostgreSqlBackendOptions options) =>
        new PostgreSqlTestSchema(options, () =>
            _shared.ExecuteAsync(options.ConnectionString, $"drop schema if exists {options.Schema} cascade")
        );
}

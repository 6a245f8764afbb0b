using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;

namespace Serdica.Perf.Compliance;

/// <summary>A PostgreSQL server; one schema for each test.</summary>
public sealed class PostgreSqlFixture() : ServerFixture(DatabaseEnvironment.PostgreSql, PostgreSqlServers.ProvisionAsync), IBackendFixture
{
    private readonly HousekeepingConnections _housekeeping = new();

    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        SchemaOf(await NewOptionsAsync(cancellationToken));

    /// <summary>Options of a schema that nobody else uses; skips the test when this machine has no server.</summary>
    public async Task<PostgreSqlBackendOptions> NewOptionsAsync(CancellationToken cancellationToken)
    {
        var server = await ServerAsync(cancellationToken);
        return new PostgreSqlBackendOptions { ConnectionString = server.ConnectionString, Schema = PostgreSqlTestSchema.NewName() };
    }

    public override async ValueTask DisposeAsync()
    {
        await _housekeeping.DisposeAsync();
        await base.DisposeAsync();
    }

    /// <summary>The schema of these options, which is dropped when it is disposed of.</summary>
    internal IBackendSchema SchemaOf(PostgreSqlBackendOptions options) =>
        new PostgreSqlTestSchema(
            options,
            () => _housekeeping.ExecuteAsync(options.ConnectionString, $"drop schema if exists {options.Schema} cascade")
        );
}

using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;

namespace Serdica.Perf.Compliance;

/// <summary>A PostgreSQL server; one schema for each test.</summary>
public sealed class PostgreSqlFixture() : ServerFixture(DatabaseEnvironment.PostgreSql, PostgreSqlServers.ProvisionAsync), IBackendFixture
{
    private readonly HousekeepingConnections _housekeeping = new();
    private int _schemas;

    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        SchemaOf(await NewOptionsAsync(cancellationToken));

    /// <summary>Options of a schema that nobody else uses; skips the test when this machine has no server.</summary>
    public async Task<PostgreSqlBackendOptions> NewOptionsAsync(CancellationToken cancellationToken)
    {
        var server = await ServerAsync(cancellationToken);
        return new PostgreSqlBackendOptions
        {
            ConnectionString = server.ConnectionString,
            Schema = $"compliance_{Guid.NewGuid():n}"[..40] + $"_{Interlocked.Increment(ref _schemas)}",
        };
    }

    public override async ValueTask DisposeAsync()
    {
        await _housekeeping.DisposeAsync();
        await base.DisposeAsync();
    }

    /// <inheritdoc cref="HousekeepingConnections.SchemaOf"/>
    internal IBackendSchema SchemaOf(PostgreSqlBackendOptions options) => _housekeeping.SchemaOf(options);
}

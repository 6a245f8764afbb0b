using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>A server with DocumentDB; one database for each test.</summary>
public sealed class DocumentDbFixture() : ServerFixture(DatabaseEnvironment.DocumentDb, DocumentDbServers.ProvisionAsync), IBackendFixture
{
    private readonly HousekeepingConnections _housekeeping = new();

    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) => CreateSchemaAsync(Slots.Count, cancellationToken);

    /// <summary>A database whose backends look at this many slots at once; skips the test when this machine has no server.</summary>
    internal async Task<IBackendSchema> CreateSchemaAsync(int slotsPerLook, CancellationToken cancellationToken)
    {
        var connectionString = (await ServerAsync(cancellationToken)).ConnectionString;
        var database = $"compliance_{Guid.NewGuid():n}";
        return new DocumentTestSchema(() => new DocumentDbDatabase(connectionString, database), slotsPerLook)
        {
            ConnectionString = connectionString,
            DropAsync = () => _housekeeping.ExecuteAsync(connectionString, $"select documentdb_api.drop_database('{database}')"),
        };
    }

    public override async ValueTask DisposeAsync()
    {
        await _housekeeping.DisposeAsync();
        await base.DisposeAsync();
    }
}

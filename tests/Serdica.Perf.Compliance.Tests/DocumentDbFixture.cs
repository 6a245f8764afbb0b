using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>A server with DocumentDB; one database for each test.</summary>
public sealed class DocumentDbFixture()
    : ServerFixture(DatabaseEnvironment.DocumentDb, DocumentDbServers.ProvisionAsync), IBackendFixture
{
    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        CreateSchemaAsync(new MongoDbBackendOptions(), cancellationToken);

    /// <summary>A database whose backends look for work as the options say; skips the test when this machine has no server.</summary>
    public async Task<IBackendSchema> CreateSchemaAsync(MongoDbBackendOptions options, CancellationToken cancellationToken)
    {
        var connectionString = (await ServerAsync(cancellationToken)).ConnectionString;
        var database = $"compliance_{Guid.NewGuid():n}";
        return new DocumentTestSchema(() => new DocumentDbDatabase(connectionString, database), options);
    }
}

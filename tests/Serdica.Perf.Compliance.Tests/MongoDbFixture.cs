[assembly: AssemblyFixture(typeof(MongoDbFixture))]

namespace Serdica.Perf.Compliance;

/// <summary>A real MongoDB that SERDICA_PERF_MONGODB names, or one in a container; a database of its own for each test.</summary>
public sealed class MongoDbFixture() : ServerFixture(DatabaseEnvironment.MongoDb), IBackendFixture
{
    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken)
    {
        var isNamed = DatabaseEnvironment.Current.TryReadRequest(DatabaseEnvironment.MongoDb, out var request, out _);
        var connectionString = (isNamed ? request!.ConnectionString : null) ?? (await ServerAsync(cancellationToken)).ConnectionString;
        var database = $"serdica_perf_{Guid.NewGuid():n}";
        return new DocumentTestSchema(() => new MongoDriverDatabase(connectionString, database));
    }
}

using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>The same server, used as a sharded cluster is: a look asks one shard.</summary>
internal sealed class NarrowDocumentDbFixture(DocumentDbFixture server) : IBackendFixture
{
    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        server.CreateSchemaAsync(new MongoDbBackendOptions { SlotsPerLook = 1 }, cancellationToken);
}

using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>The DocumentDB server in the mode for sharded clusters: each poll queries one shard.</summary>
internal sealed class NarrowDocumentDbFixture(DocumentDbFixture server) : IBackendFixture
{
    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        server.CreateSchemaAsync(new MongoDbBackendOptions { SlotsPerLook = 1 }, cancellationToken);
}

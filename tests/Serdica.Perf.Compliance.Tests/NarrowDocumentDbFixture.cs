namespace Serdica.Perf.Compliance;

/// <summary>The DocumentDB server as it is looked at by many processes: each look covers one slot.</summary>
internal sealed class NarrowDocumentDbFixture(DocumentDbFixture server) : IBackendFixture
{
    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        server.SchemaAsync(borrows: false, slotsPerLook: 1, cancellationToken);

    public Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) =>
        server.SchemaAsync(borrows: true, slotsPerLook: 1, cancellationToken);
}

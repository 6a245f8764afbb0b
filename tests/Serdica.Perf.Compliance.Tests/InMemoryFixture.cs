namespace Serdica.Perf.Compliance;

/// <summary>One object is the whole database, so every process of a test shares it.</summary>
public sealed class InMemoryFixture : IBackendFixture
{
    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) => Task.FromResult<IBackendSchema>(new Schema());

    private sealed class Schema : IBackendSchema
    {
        private readonly InMemoryWorkflowBackend _backend = new();

        public IWorkflowBackend Connect() => _backend;

        public ValueTask DisposeAsync() => _backend.DisposeAsync();
    }
}

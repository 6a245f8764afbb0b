using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>A document database of one test, dropped at its end.</summary>
internal sealed class DocumentTestSchema(Func<IDocumentDatabase> open, MongoDbBackendOptions options) : IBackendSchema
{
    public IWorkflowBackend Connect() => new MongoDbWorkflowBackend(open(), options);

    public async ValueTask DisposeAsync()
    {
        await using var backend = new MongoDbWorkflowBackend(open());
        await backend.DropDatabaseAsync(CancellationToken.None);
    }
}

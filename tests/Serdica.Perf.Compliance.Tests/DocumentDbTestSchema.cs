using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>A database of one test on DocumentDB, dropped at its end.</summary>
internal sealed class DocumentDbTestSchema(string connectionString, string database, MongoDbBackendOptions options) : IBackendSchema
{
    public IWorkflowBackend Connect() => new MongoDbWorkflowBackend(new DocumentDbDatabase(connectionString, database), options);

    public async ValueTask DisposeAsync()
    {
        await using var backend = new MongoDbWorkflowBackend(new DocumentDbDatabase(connectionString, database));
        await backend.DropDatabaseAsync(CancellationToken.None);
    }
}

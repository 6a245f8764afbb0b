using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Backends;

/// <summary>A document database with a name of its own, dropped with this object.</summary>
internal sealed class DocumentDbStore(string connectionString, int? serverProcessId) : IScenarioStore
{
    /// <summary>Where the extension keeps the tables of all collections.</summary>
    private const string ExtensionSchema = "documentdb_data";

    private readonly string _database = $"serdica_perf_{Guid.NewGuid():N}";

    /// <summary>The engine is an extension of PostgreSQL, whose server counts for it.</summary>
    private readonly PostgreSqlStatistics _statistics =
        new(new() { ConnectionString = connectionString, Schema = ExtensionSchema }, serverProcessId);

    public string Backend => BackendNames.DocumentDb;

    public IBackendStatistics? Statistics => _statistics;

    public IWorkflowBackend Connect() => Open();

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync().ConfigureAwait(false);
        var backend = Open();
        await using (backend.ConfigureAwait(false))
            await backend.DropDatabaseAsync(CancellationToken.None).ConfigureAwait(false);
    }

    private MongoDbWorkflowBackend Open() => new(new DocumentDbDatabase(connectionString, _database));
}

using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Backends;

/// <summary>A database with a name of its own, dropped with this object.</summary>
/// <param name="backend">As results name it.</param>
/// <param name="open">Opens a database of the server by its name, over connections of this application.</param>
internal sealed class MongoDbStore(string backend, Func<string, string, IDocumentDatabase> open) : IScenarioStore
{
    private readonly string _database = $"serdica_perf_{Guid.NewGuid():N}";
    private MongoDbStatistics? _statistics;

    public string Backend => backend;

    public IBackendStatistics? Statistics => _statistics ??= new(name => open(name, MongoDriver.StatisticsApplication), _database);

    public IWorkflowBackend Connect() => Open();

    public async ValueTask DisposeAsync()
    {
        if (_statistics is not null)
            await _statistics.DisposeAsync().ConfigureAwait(false);
        var backend = Open();
        await using (backend.ConfigureAwait(false))
            await backend.DropDatabaseAsync(CancellationToken.None).ConfigureAwait(false);
    }

    private MongoDbWorkflowBackend Open() => new(open(_database, MongoDriver.Application));
}

using Serdica.Perf.Backends.Stores;

namespace Serdica.Perf.Backends;

/// <summary>A database with a name of its own, dropped with this object.</summary>
internal sealed class MongoDbStore : ISharedStore
{
    private readonly HeldStore _held;
    private readonly string _connectionString;
    private readonly StatisticsWithRetries _statistics;

    private MongoDbStore(HeldStore held, string backend, string connectionString)
    {
        (_held, _connectionString) = (held, connectionString);
        Backend = backend;
        _statistics = new(() => new MongoDbStatistics(connectionString, held.Name));
    }

    public string Backend { get; }

    public string Name => _held.Name;

    public string ConnectionString => _connectionString;

    public IBackendStatistics? Statistics => _statistics;

    /// <param name="backend">As results name it.</param>
    /// <param name="connectionString">Of the server.</param>
    /// <param name="run">Id of the run.</param>
    public static async Task<IScenarioStore> MakeAsync(string backend, string connectionString, string run)
    {
        var stores = StoreServers.OnMongoDb(connectionString);
        var held = await HeldStore.MakeAsync(stores, HeldStore.NewName(DocumentStores.Prefix), run).ConfigureAwait(false);
        return new MongoDbStore(held, backend, connectionString);
    }

    public IWorkflowBackend Connect() => _statistics.Watch(MongoDbWorkflowBackend.OnMongoDb(_connectionString, _held.Name));

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync().ConfigureAwait(false);
        await _held.DisposeAsync().ConfigureAwait(false);
    }
}

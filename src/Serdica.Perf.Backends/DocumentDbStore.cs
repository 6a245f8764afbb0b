using Serdica.Perf.Backends.Stores;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Backends;

/// <summary>A document database with a name of its own, dropped with this object.</summary>
internal sealed class DocumentDbStore : ISharedStore
{
    /// <summary>Where the extension keeps the tables of all collections.</summary>
    private const string ExtensionSchema = "documentdb_data";

    private readonly HeldStore _held;
    private readonly string _connectionString;
    private readonly StatisticsWithRetries _statistics;

    private DocumentDbStore(HeldStore held, DatabaseServer server)
    {
        (_held, _connectionString) = (held, server.ConnectionString);

        // The engine is an extension of PostgreSQL, whose server counts for it.
        _statistics = new(() =>
            new PostgreSqlStatistics(new() { ConnectionString = server.ConnectionString, Schema = ExtensionSchema }, server.ProcessId)
        );
    }

    public string Backend => BackendNames.DocumentDb;

    public string Name => _held.Name;

    public string ConnectionString => _connectionString;

    public IBackendStatistics? Statistics => _statistics;

    /// <param name="server">Where it is made.</param>
    /// <param name="run">Id of the run.</param>
    public static async Task<IScenarioStore> MakeAsync(DatabaseServer server, string run)
    {
        var stores = StoreServers.OnDocumentDb(server.ConnectionString);
        var held = await HeldStore.MakeAsync(stores, HeldStore.NewName(DocumentStores.Prefix), run).ConfigureAwait(false);
        return new DocumentDbStore(held, server);
    }

    public IWorkflowBackend Connect() => _statistics.Watch(MongoDbWorkflowBackend.OnDocumentDb(_connectionString, _held.Name));

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync().ConfigureAwait(false);
        await _held.DisposeAsync().ConfigureAwait(false);
    }
}

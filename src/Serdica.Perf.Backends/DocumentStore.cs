namespace Serdica.Perf.Backends;

/// <summary>A document database with a name of its own, dropped with this object.</summary>
internal sealed class DocumentStore(
    string backend,
    string connectionString,
    HeldStore held,
    Func<MongoDbWorkflowBackend> open,
    Func<IBackendStatistics> statistics
) : ISharedStore
{
    /// <summary>Where the extension keeps the tables of all collections.</summary>
    private const string ExtensionSchema = "documentdb_data";

    private readonly StatisticsWithRetries _statistics = new(statistics);

    public string Backend => backend;

    public string Name => held.Name;

    public string ConnectionString => connectionString;

    public IBackendStatistics? Statistics => _statistics;

    /// <summary>On DocumentDB.</summary>
    public static async Task<IScenarioStore> MakeAsync(DatabaseServer server, string run)
    {
        var connection = server.ConnectionString;
        var held = await MakeAsync(StoreServers.OnDocumentDb(connection), run);

        // The engine is an extension of PostgreSQL, whose server counts for it.
        return new DocumentStore(
            BackendNames.DocumentDb,
            connection,
            held,
            () => MongoDbWorkflowBackend.OnDocumentDb(connection, held.Name),
            () => new PostgreSqlStatistics(new() { ConnectionString = connection, Schema = ExtensionSchema }, server.ProcessId)
        );
    }

    /// <summary>On MongoDB.</summary>
    public static async Task<IScenarioStore> MakeAsync(string backend, string connection, string run)
    {
        var held = await MakeAsync(StoreServers.OnMongoDb(connection), run);
        return new DocumentStore(
            backend,
            connection,
            held,
            () => MongoDbWorkflowBackend.OnMongoDb(connection, held.Name),
            () => new MongoDbStatistics(connection, held.Name)
        );
    }

    public IWorkflowBackend Connect() => _statistics.Watch(open());

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync();
        await held.DisposeAsync();
    }

    private static Task<HeldStore> MakeAsync(DocumentStores stores, string run) =>
        HeldStore.MakeAsync(stores, HeldStore.NewName(DocumentStores.Prefix), run);
}

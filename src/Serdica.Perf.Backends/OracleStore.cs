namespace Serdica.Perf.Backends;

/// <summary>Tables, queues and package under a prefix of their own, dropped with this object.</summary>
internal sealed class OracleStore : ISharedStore
{
    private readonly HeldStore _held;
    private readonly OracleBackendOptions _options;
    private readonly ILogger _logger;
    private readonly OracleStatistics _statistics;

    private OracleStore(HeldStore held, OracleBackendOptions server, ILogger logger)
    {
        _held = held;
        _logger = logger;
        _options = server with { Prefix = held.Name };
        _statistics = new(_options);
    }

    public string Backend => MeasuredOracle.NameOf(_options);

    public string Name => _held.Name;

    public string ConnectionString => _options.ConnectionString;

    public IBackendStatistics? Statistics => _statistics;

    public static async Task<IScenarioStore> MakeAsync(OracleBackendOptions server, string run, ILogger logger)
    {
        var name = HeldStore.NewName(OracleStores.Prefix).ToUpperInvariant();
        return new OracleStore(await HeldStore.MakeAsync(new OracleStores(server), name, run), server, logger);
    }

    public IWorkflowBackend Connect()
    {
        var backend = new OracleWorkflowBackend(_options, _logger, TimeProvider.System);
        _statistics.Watch(backend);
        return backend;
    }

    public ValueTask DisposeAsync() => _held.DisposeAsync();
}

using Npgsql;
using Serdica.Perf.Measurement.Queues;

namespace Serdica.Perf.Backends;

/// <summary>A schema with a name of its own, dropped with this object.</summary>
internal sealed class PostgreSqlStore : ISharedStore, IVacuumTuning
{
    private readonly HeldStore _held;
    private readonly PostgreSqlBackendOptions _options;
    private readonly PostgreSqlStatistics _server;
    private readonly IBackendStatistics _statistics;
    private readonly ILogger<PostgreSqlWorkflowBackend> _logger;

    private PostgreSqlStore(HeldStore held, DatabaseServer server, ILoggerFactory loggers, PostgreSqlDistribution distribution)
    {
        _held = held;
        _logger = loggers.CreateLogger<PostgreSqlWorkflowBackend>();
        _options = new()
        {
            ConnectionString = server.ConnectionString,
            Schema = held.Name,
            Distribution = distribution,
        };
        _server = new(_options, server.ProcessId);
        _statistics = distribution == PostgreSqlDistribution.Citus ? new CitusStatistics(_options, _server) : _server;
    }

    public string Backend => _options.Distribution == PostgreSqlDistribution.Citus ? BackendNames.Citus : BackendNames.PostgreSql;

    public string Name => _held.Name;

    public string ConnectionString => _options.ConnectionString;

    public IBackendStatistics? Statistics => _statistics;

    /// <param name="loggers">For what the backends warn of: vacuums that free nothing.</param>
    public static async Task<IScenarioStore> MakeAsync(
        DatabaseServer server,
        string run,
        ILoggerFactory loggers,
        PostgreSqlDistribution distribution = default
    )
    {
        var stores = new PostgreSqlStores(server.ConnectionString);
        var held = await HeldStore.MakeAsync(stores, HeldStore.NewName(PostgreSqlStores.Prefix), run);
        return new PostgreSqlStore(held, server, loggers, distribution);
    }

    public IWorkflowBackend Connect()
    {
        var backend = new PostgreSqlWorkflowBackend(_options, _logger);
        _server.Watch(backend);
        return backend;
    }

    public async Task UseServerVacuumAsync(CancellationToken cancellationToken)
    {
        await using (var source = NpgsqlDataSource.Create(_options.ConnectionString))
        {
            // The name is ours.
            await using (
                var command = source.CreateCommand(
                    $"alter table {_options.Schema}.message reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, "
                        + $"autovacuum_vacuum_cost_delay, autovacuum_analyze_scale_factor, autovacuum_analyze_threshold)"
                )
            )
                await command.ExecuteNonQueryAsync(cancellationToken);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync();
        await _held.DisposeAsync();
    }
}

using Microsoft.Extensions.Logging;
using Npgsql;
using Serdica.Perf.Measurement.Queues;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Backends;

/// <summary>A schema with a name of its own, dropped with this object.</summary>
internal sealed class PostgreSqlStore : IScenarioStore, IVacuumTuning
{
    private readonly PostgreSqlBackendOptions _options;
    private readonly PostgreSqlStatistics _statistics;

    private readonly ILogger<PostgreSqlWorkflowBackend> _logger;

    /// <param name="connectionString">The server.</param>
    /// <param name="serverProcessId">Its first process, when it is on this machine.</param>
    /// <param name="loggers">For what the backends warn of: vacuums that free nothing.</param>
    public PostgreSqlStore(string connectionString, int? serverProcessId, ILoggerFactory loggers)
    {
        _logger = loggers.CreateLogger<PostgreSqlWorkflowBackend>();
        _options = new() { ConnectionString = connectionString, Schema = $"serdica_perf_{Guid.NewGuid():N}" };
        _statistics = new(_options, serverProcessId);
    }

    public string Backend => BackendNames.PostgreSql;

    public IBackendStatistics? Statistics => _statistics;

    public IWorkflowBackend Connect()
    {
        var backend = new PostgreSqlWorkflowBackend(_options, _logger);
        _statistics.Watch(backend);
        return backend;
    }

    /// <inheritdoc/>
    public async Task UseServerVacuumAsync(CancellationToken cancellationToken)
    {
        var source = NpgsqlDataSource.Create(_options.ConnectionString);
        await using (source.ConfigureAwait(false))
        {
            // The name is ours, made in the constructor.
            var command = source.CreateCommand(
                $"alter table {_options.Schema}.message reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, autovacuum_vacuum_cost_delay, autovacuum_analyze_scale_factor, autovacuum_analyze_threshold)");
            await using (command.ConfigureAwait(false))
                await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync().ConfigureAwait(false);
        var backend = new PostgreSqlWorkflowBackend(_options);
        await using (backend.ConfigureAwait(false))
            await backend.DropSchemaAsync(CancellationToken.None).ConfigureAwait(false);
    }
}

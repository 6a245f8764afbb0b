using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Cli.Composition;

/// <summary>A schema with a name of its own, dropped with this object.</summary>
internal sealed class PostgreSqlStore : IScenarioStore
{
    private readonly PostgreSqlBackendOptions _options;
    private readonly PostgreSqlStatistics _statistics;

    public PostgreSqlStore(string connectionString, int? serverProcessId)
    {
        _options = new() { ConnectionString = connectionString, Schema = $"serdica_perf_{Guid.NewGuid():N}" };
        _statistics = new(_options, serverProcessId);
    }

    public string Backend => BackendNames.PostgreSql;

    public IBackendStatistics? Statistics => _statistics;

    public IWorkflowBackend Connect()
    {
        var backend = new PostgreSqlWorkflowBackend(_options);
        _statistics.Watch(backend);
        return backend;
    }

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync().ConfigureAwait(false);
        var backend = new PostgreSqlWorkflowBackend(_options);
        await using (backend.ConfigureAwait(false))
            await backend.DropSchemaAsync(CancellationToken.None).ConfigureAwait(false);
    }
}

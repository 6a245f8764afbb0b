using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.PostgreSql;

namespace Serdica.Perf.Cli.Composition;

/// <summary>A schema with a name of its own, dropped with this object.</summary>
internal sealed class PostgreSqlStore(string connectionString) : IScenarioStore
{
    private readonly PostgreSqlBackendOptions _options = new()
    {
        ConnectionString = connectionString,
        Schema = $"serdica_perf_{Guid.NewGuid():N}",
    };

    private readonly PostgreSqlStatistics _statistics = new(connectionString);

    public string Backend => BackendNames.PostgreSql;

    public IBackendStatistics? Statistics => _statistics;

    public IWorkflowBackend Connect() => new PostgreSqlWorkflowBackend(_options);

    public async ValueTask DisposeAsync()
    {
        await _statistics.DisposeAsync().ConfigureAwait(false);
        var backend = new PostgreSqlWorkflowBackend(_options);
        await using (backend.ConfigureAwait(false))
            await backend.DropSchemaAsync(CancellationToken.None).ConfigureAwait(false);
    }
}

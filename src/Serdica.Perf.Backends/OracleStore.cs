using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Backends;

/// <summary>Tables, queues and package under a prefix of their own, dropped with this object.</summary>
internal sealed class OracleStore(OracleBackendOptions server) : IScenarioStore
{
    private readonly OracleBackendOptions _options = server with { Prefix = $"SWF_{Guid.NewGuid():N}".ToUpperInvariant() };

    public string Backend => BackendNames.OracleAq;

    public IBackendStatistics? Statistics => field ??= new OracleStatistics(_options);

    public IWorkflowBackend Connect() => new OracleWorkflowBackend(_options);

    public async ValueTask DisposeAsync()
    {
        var backend = new OracleWorkflowBackend(_options);
        await using (backend.ConfigureAwait(false))
            await backend.DropSchemaAsync(CancellationToken.None).ConfigureAwait(false);
    }
}

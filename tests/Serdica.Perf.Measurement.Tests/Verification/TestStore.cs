using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>A store of one backend object in memory.</summary>
internal sealed class TestStore(IWorkflowBackend backend) : IScenarioStore
{
    public string Backend => backend.Name;

    public IBackendStatistics? Statistics => null;

    public IWorkflowBackend Connect() => backend;

    public ValueTask DisposeAsync() => backend.DisposeAsync();
}

namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>A store of one backend object in memory.</summary>
internal sealed class TestStore(IWorkflowBackend backend, IBackendStatistics? statistics = null) : IScenarioStore
{
    public string Backend => backend.Name;

    public IBackendStatistics? Statistics => statistics;

    public IWorkflowBackend Connect() => backend;

    public ValueTask DisposeAsync() => backend.DisposeAsync();
}

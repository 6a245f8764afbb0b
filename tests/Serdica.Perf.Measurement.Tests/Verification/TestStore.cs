namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>A store of one backend object in memory.</summary>
/// <param name="remains">Whether it cannot be removed, as when its server is gone.</param>
internal sealed class TestStore(IWorkflowBackend backend, IBackendStatistics? statistics = null, bool remains = false) : IScenarioStore
{
    public string Backend => backend.Name;

    public IBackendStatistics? Statistics => statistics;

    public IWorkflowBackend Connect() => backend;

    public ValueTask DisposeAsync() =>
        remains ? throw new WorkflowBackendException("The server is gone.", isTransient: true) : backend.DisposeAsync();
}

using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Backends;

/// <summary>A store in the memory of this process. All its backend objects are one, since no memory is shared otherwise.</summary>
internal sealed class InMemoryStore : IScenarioStore
{
    private readonly InMemoryWorkflowBackend _backend = new();

    public string Backend => BackendNames.InMemory;

    public IBackendStatistics? Statistics => null;

    public IWorkflowBackend Connect() => _backend;

    public ValueTask DisposeAsync() => _backend.DisposeAsync();
}

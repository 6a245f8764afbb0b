using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>A client on a backend object of its own, as another process would have one: no host of it wakes for what it does.</summary>
internal sealed class OutsideClient : IAsyncDisposable
{
    private readonly IWorkflowBackend _backend;

    public OutsideClient(IScenarioStore store, WorkflowRegistry registry, WorkflowOptions options)
    {
        _backend = store.Connect();
        Client = new WorkflowClient(_backend, registry, options);
    }

    public WorkflowClient Client { get; }

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync().ConfigureAwait(false);
        await _backend.DisposeAsync().ConfigureAwait(false);
    }
}

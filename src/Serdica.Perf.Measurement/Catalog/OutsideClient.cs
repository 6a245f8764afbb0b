namespace Serdica.Perf.Measurement.Catalog;

/// <summary>A client with its own backend object, as another process would have: what it does wakes no host directly.</summary>
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
        await Client.DisposeAsync();
        await _backend.DisposeAsync();
    }
}

namespace Serdica.Perf.Backends;

/// <summary>The null backend: the overhead of engine and harness.</summary>
internal sealed class InMemoryMeasuredBackend : IMeasuredBackend
{
    public DatabaseDescription Description { get; } =
        new()
        {
            Backend = BackendNames.InMemory,
            Product = "Memory of this process",
            Source = DatabaseDescription.InProcess,
            Durability = Durability.NotDurable,
            Capabilities = ["wake-up of other processes: polling"],
        };

    public string? DataFolder => null;

    public Task<IScenarioStore> CreateStoreAsync(string run) => Task.FromResult<IScenarioStore>(new InMemoryStore());

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>A store in the memory of this process. All its backend objects are one, since no memory is shared otherwise.</summary>
internal sealed class InMemoryStore : IScenarioStore
{
    private readonly InMemoryWorkflowBackend _backend = new();

    public string Backend => BackendNames.InMemory;

    public IBackendStatistics? Statistics => null;

    public IWorkflowBackend Connect() => _backend;

    public ValueTask DisposeAsync() => _backend.DisposeAsync();
}

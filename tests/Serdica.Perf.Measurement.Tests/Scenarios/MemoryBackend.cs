namespace Serdica.Perf.Measurement.Tests.Scenarios;

/// <summary>Memory as a backend of a suite run.</summary>
/// <param name="create">Gives the workflow backend of a store; by default a new one in memory.</param>
internal sealed class MemoryBackend(Func<IWorkflowBackend>? create = null, bool storesRemain = false) : IMeasuredBackend
{
    public DatabaseDescription Description { get; } =
        new()
        {
            Backend = "in-memory",
            Product = "Memory of this process",
            Source = DatabaseDescription.InProcess,
            Durability = Durability.NotDurable,
        };

    public string? DataFolder => null;

    public Task<IScenarioStore> CreateStoreAsync(string run) =>
        Task.FromResult<IScenarioStore>(new TestStore(create?.Invoke() ?? new InMemoryWorkflowBackend(), remains: storesRemain));

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

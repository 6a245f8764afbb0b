using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Backends;

/// <summary>The null backend: the overhead of engine and harness.</summary>
internal sealed class InMemoryMeasuredBackend : IMeasuredBackend
{
    public DatabaseDescription Description { get; } = new()
    {
        Backend = BackendNames.InMemory,
        Product = "Memory of this process",
        Source = DatabaseDescription.InProcess,
        Durability = Durability.NotDurable,
        Capabilities = ["wake-up of other processes: polling"],
    };

    public string? DataFolder => null;

    public IScenarioStore CreateStore() => new InMemoryStore();

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

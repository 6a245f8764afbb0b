using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Cli.Composition;

/// <summary>The null backend: what engine and harness cost by themselves.</summary>
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

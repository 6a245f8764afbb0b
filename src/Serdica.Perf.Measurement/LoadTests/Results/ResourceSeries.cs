using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Samples;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Collects the samples of one step and makes figures of each component from them.</summary>
internal sealed class ResourceSeries(int machineCores)
{
    /// <summary>Samples closer to each other, as the first and the last may be, tell chance and no rate.</summary>
    private const double ShortestSeconds = 0.2;

    private readonly List<Sample> _samples = [];

    public void Add(Sample sample) => _samples.Add(sample);

    public IReadOnlyList<ResourceFigures> Figures()
    {
        var pairs = _samples.Zip(_samples.Skip(1)).Where(pair => pair.Second.T - pair.First.T >= ShortestSeconds).ToArray();
        var engine = pairs.Select(pair => Cores(pair, sample => sample.Engine.CpuMs)).ToArray();
        var database = pairs.Select(pair => Cores(pair, sample => sample.Database?.GetValueOrDefault(MetricNames.DatabaseCpu))).ToArray();
        var engineMemory = pairs.Select(pair => (double?)pair.Second.Engine.WorkingSetBytes).ToArray();
        var databaseMemory = pairs.Select(pair => pair.Second.Database?.GetValueOrDefault(MetricNames.DatabaseMemory)).ToArray();
        var machine = pairs.Select(pair => pair.Second.Host.Cpu * machineCores).ToArray();
        return
        [
            Component("database", database, databaseMemory),
            Component("engine and generator", engine, engineMemory),
            Component("total", Sums(engine, database), Sums(engineMemory, databaseMemory)),
            Component("machine", machine, []),
        ];
    }

    private static ResourceFigures Component(string name, IReadOnlyCollection<double?> cpu, IReadOnlyCollection<double?> memory) => new()
    {
        Component = name,
        Samples = Math.Max(cpu.Count(value => value is not null), memory.Count(value => value is not null)),
        Cpu = ResourceFigures.Usage.Of(cpu.OfType<double>()),
        Memory = ResourceFigures.Usage.Of(memory.OfType<double>()),
    };

    /// <summary>Moment by moment; where one component is not told, the total is the other.</summary>
    private static double?[] Sums(double?[] first, double?[] second) =>
        [.. first.Zip(second).Select(pair => pair.First is null && pair.Second is null ? null : (double?)((pair.First ?? 0) + (pair.Second ?? 0)))];

    private static double? Cores((Sample First, Sample Second) pair, Func<Sample, double?> milliseconds) =>
        (milliseconds(pair.Second) - milliseconds(pair.First)) / ((pair.Second.T - pair.First.T) * 1000);
}

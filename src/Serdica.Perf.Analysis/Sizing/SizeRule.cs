namespace Serdica.Perf.Analysis.Sizing;

/// <summary>
/// How a size is derived, and the rule that it must satisfy: requests cover the P99 and a headroom; limits are 50 to 100 % above
/// requests and cover the observed maximum with the same headroom.
/// </summary>
/// <param name="Headroom">A share of the P99; default 0.25.</param>
internal sealed record SizeRule(double Headroom = 0.25)
{
    public const double LeastLimit = 1.5;
    public const double MostLimit = 2;

    private const int CpuGrain = 50;
    private const int MemoryGrain = 32;
    private const double Mebibyte = 1 << 20;

    /// <summary>Null for a component whose processor or memory use is unknown.</summary>
    public ComponentSize? Of(ResourceFigures figures)
    {
        if (figures is not { Cpu: { } cpu, Memory: { } memory })
            return null;

        var (cpuRequest, cpuLimit) = Pair(cpu.P99 * 1000, cpu.Max * 1000, CpuGrain);
        var (memoryRequest, memoryLimit) = Pair(memory.P99 / Mebibyte, memory.Max / Mebibyte, MemoryGrain);
        return new(figures.Component, figures.Replicas, cpuRequest, cpuLimit, memoryRequest, memoryLimit, figures);
    }

    /// <summary>How a size breaks its rule; empty when it satisfies it.</summary>
    public IEnumerable<string> Breaches(TshirtSize size) => size.Components.SelectMany(component => Breaches(size.Name, component));

    private IEnumerable<string> Breaches(string size, ComponentSize component)
    {
        var (cpu, memory) = (component.Measured.Cpu!, component.Measured.Memory!);
        if (component.CpuRequest < cpu.P99 * 1000 * (1 + Headroom))
            yield return Invariant($"{size}, {component.Component}: the processors requested ({component.CpuRequest}m) lack the headroom ")
                + Invariant($"of {Headroom * 100:0.##} % over a P99 of {cpu.P99 * 1000:0}m.");
        if (component.MemoryRequest < memory.P99 / Mebibyte * (1 + Headroom))
            yield return Invariant($"{size}, {component.Component}: the memory requested ({component.MemoryRequest}Mi) lacks the headroom ")
                + Invariant($"of {Headroom * 100:0.##} % over a P99 of {memory.P99 / Mebibyte:0}Mi.");
        if (component.MemoryLimit < memory.Max / Mebibyte)
            yield return Invariant($"{size}, {component.Component}: the limit of memory ({component.MemoryLimit}Mi) is below the ")
                + Invariant($"{memory.Max / Mebibyte:0}Mi that were seen.");
        foreach (
            var (what, request, limit) in ((string, int, int)[])
                [("processors", component.CpuRequest, component.CpuLimit), ("memory", component.MemoryRequest, component.MemoryLimit)]
        )
        {
            if (limit < LeastLimit * request || limit > MostLimit * request)
                yield return Invariant($"{size}, {component.Component}: the limit of {what} is {(double)limit / request * 100 - 100:0} % ")
                    + "above the request; it must be 50 to 100 %.";
        }
    }

    private (int Request, int Limit) Pair(double p99, double max, int grain)
    {
        var most = max * (1 + Headroom);
        var request = RoundUp(Math.Max(p99 * (1 + Headroom), most / MostLimit), grain);
        return (request, Math.Min((int)(MostLimit * request), RoundUp(Math.Max(LeastLimit * request, most), grain)));
    }

    private static int RoundUp(double value, int grain) => Math.Max(grain, (int)Math.Ceiling(value / grain) * grain);
}

/// <summary>A size, named by the load that it sustains.</summary>
/// <param name="UpToPerSecond">The highest rate of a passed step from which it was derived.</param>
/// <param name="Components">The components, each with requests and limits.</param>
internal sealed record TshirtSize(string Name, double UpToPerSecond, IReadOnlyList<ComponentSize> Components)
{
    public int CpuRequest => Components.Sum(component => component.CpuRequest * component.Replicas);

    public int CpuLimit => Components.Sum(component => component.CpuLimit * component.Replicas);

    public int MemoryRequest => Components.Sum(component => component.MemoryRequest * component.Replicas);

    public int MemoryLimit => Components.Sum(component => component.MemoryLimit * component.Replicas);
}

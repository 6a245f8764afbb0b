namespace Serdica.Perf.Reports.Documents;

/// <summary>
/// A host, the generator or the database of a measurement whose workflows ran in processes of their own. Figures that are not known
/// are null.
/// </summary>
internal sealed record ReportProcess
{
    /// <summary>The scenario or step.</summary>
    public required string Name { get; init; }

    /// <summary>For instance <c>host 1</c>.</summary>
    public required string Role { get; init; }

    public int? ProcessId { get; init; }

    /// <summary>Processor time in milliseconds.</summary>
    public double? CpuMs { get; init; }

    /// <summary>Memory at the end.</summary>
    public double? MemoryBytes { get; init; }

    /// <summary>The highest memory since the start of the process.</summary>
    public double? PeakMemoryBytes { get; init; }

    /// <summary>Those of the database are of all processes together.</summary>
    public double? Connections { get; init; }

    /// <summary>The clock of a host; null of others, and where it is not known.</summary>
    public HostClock? Clock { get; init; }

    /// <summary>What a host has done; null of others.</summary>
    public EngineCounters? Counters { get; init; }

    /// <summary>Hosts by number, then generator and database; nothing without host processes.</summary>
    /// <param name="scenario">Has the generator and the database; null where they are not known.</param>
    public static IEnumerable<ReportProcess> Of(string name, IReadOnlyList<HostFigures> hosts, ScenarioResult? scenario)
    {
        foreach (var host in hosts)
            yield return Of(name, Invariant($"host {host.Number}"), host) with { Clock = host.Clock, Counters = host.Counters };
        if (hosts.Count == 0 || scenario is null)
            yield break;
        if (scenario.Processes is { } processes)
            yield return Of(name, "generator", processes.Generator);
        double? Server(string metric) => scenario.DatabaseMetrics.GetValueOrDefault(metric)?.Value;
        yield return new()
        {
            Name = name,
            Role = "database",
            CpuMs = Server(MetricNames.DatabaseCpu),
            MemoryBytes = Server(MetricNames.DatabaseMemory) ?? Server(MetricNames.ContainerMemory),
            Connections = Server(MetricNames.Connections),
        };
    }

    private static ReportProcess Of(string name, string role, ProcessFigures process) =>
        new()
        {
            Name = name,
            Role = role,
            ProcessId = process.ProcessId,
            CpuMs = process.CpuMs,
            MemoryBytes = process.WorkingSetBytes,
            PeakMemoryBytes = process.PeakWorkingSetBytes,
            Connections = process.Connections,
        };
}

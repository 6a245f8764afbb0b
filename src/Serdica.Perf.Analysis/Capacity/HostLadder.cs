namespace Serdica.Perf.Analysis.Capacity;

/// <summary>What more hosts bring: one scenario with different numbers of host processes on one store each, fewest first.</summary>
/// <param name="Scenario">The name of the scenario, starting with the backend.</param>
internal sealed record HostLadder(string Scenario, IReadOnlyList<HostLevel> Levels)
{
    /// <summary>Finds the scenarios that were measured with at least two numbers of host processes.</summary>
    public static IReadOnlyList<HostLadder> Of(IReadOnlyList<RunResult> runs)
    {
        return
        [
            .. from run in runs
            from scenario in TypicalRepeat.Of(run.Scenarios)
            where scenario.Status == ScenarioStatus.Passed && scenario.ShownPerSecond > 0 && scenario.Processes is not null
            group new HostLevel(scenario, run.RunId) by scenario.Name into levels
            where levels.DistinctBy(level => level.Hosts).Count() > 1
            select new HostLadder(levels.Key, [.. levels.OrderBy(level => level.Hosts)]),
        ];
    }

    /// <summary>The level with the highest throughput.</summary>
    public HostLevel Best => Levels.MaxBy(level => level.PerSecond)!;

    /// <summary>The throughput of a level as a share of the highest.</summary>
    public double ShareOfBest(HostLevel level) => level.PerSecond / Best.PerSecond;
}

/// <summary>One scenario with one number of host processes.</summary>
/// <param name="Scenario">The typical repeat; it has passed, and its hosts were processes.</param>
/// <param name="RunId">The name of the run with all details.</param>
internal sealed record HostLevel(ScenarioResult Scenario, string RunId)
{
    /// <summary>The number of host processes.</summary>
    public int Hosts => Scenario.Processes!.Hosts.Count;

    /// <summary>Throughput in operations a second.</summary>
    public double PerSecond => Scenario.ShownPerSecond!.Value;

    /// <summary>Batches that were rolled back because another host was faster, for each completed operation.</summary>
    public double? ConflictsPerOperation => PerOperation(Engine(MetricNames.Conflicts));

    /// <summary>Claims that found nothing due, for each completed operation.</summary>
    public double? EmptyClaimsPerOperation => PerOperation(Engine(MetricNames.EmptyClaims));

    /// <summary>Processor time of all hosts for each completed operation, in milliseconds.</summary>
    public double? HostCpuMsPerOperation => PerOperation(Scenario.Processes!.Hosts.Sum(host => host.CpuMs));

    /// <summary>Processor time of the generator for each completed operation, in milliseconds.</summary>
    public double? GeneratorCpuMsPerOperation => PerOperation(Scenario.Processes!.Generator.CpuMs);

    /// <summary>Processor time of the server for each completed operation, in milliseconds; null where it is not known.</summary>
    public double? DatabaseCpuMsPerOperation => PerOperation(Scenario.DatabaseMetrics.GetValueOrDefault(MetricNames.DatabaseCpu)?.Value);

    /// <summary>Connections of all hosts at the end; null where the system does not report them.</summary>
    public int? HostConnections => Scenario.Processes!.Hosts.Select(host => host.Connections).Aggregate((all, one) => all + one);

    private double? Engine(string metric) => Scenario.EngineMetrics.GetValueOrDefault(metric)?.Value;

    private double? PerOperation(double? figure) => figure / Scenario.Counts.Completed;
}

namespace Serdica.Perf.Analysis.Limits;

/// <summary>
/// One scenario on a database and in memory, measured in one run. It shows what engine and load generator cost by themselves. Of
/// several repeats, the typical one counts.
/// </summary>
/// <param name="InMemory">The result with equal parameters and without a database.</param>
internal sealed record HarnessOverhead(ScenarioResult Database, ScenarioResult InMemory)
{
    /// <summary>
    /// A scenario that is slower in memory by this factor waits for something that only the in-memory backend waits for, such as
    /// a poll.
    /// </summary>
    private const double LargestShare = 1.25;

    /// <summary>
    /// The share of the scenario's time that it would take with a database that costs nothing: 0.1 means that at most a tenth of
    /// the time belongs to the harness. Null when either side has no throughput, the scenario is paced by its delays, or it is
    /// clearly slower in memory.
    /// </summary>
    public double? TimeShare =>
        Database.Lateness is null && Database.ThroughputPerSecond / InMemory.ThroughputPerSecond is { } share and <= LargestShare
            ? share
            : null;

    /// <summary>The share of this process's processor time for each operation that is spent in memory too.</summary>
    public double? CpuShare => CpuOf(InMemory) / CpuOf(Database);

    /// <summary>One entry for each scenario of a database that was also measured in memory with equal parameters.</summary>
    public static IReadOnlyList<HarnessOverhead> Of(IReadOnlyList<DatabaseDescription> databases, IEnumerable<ScenarioResult> scenarios)
    {
        var inProcess = databases.Where(database => database.IsInProcess).Select(database => database.Backend).ToHashSet();
        var typical = TypicalRepeat.Of(scenarios).Where(scenario => scenario.Status == ScenarioStatus.Passed).ToArray();
        return
        [
            .. from database in typical
            where !inProcess.Contains(database.Backend)
            from inMemory in typical
            where inProcess.Contains(inMemory.Backend) && IsSame(database, inMemory)
            select new HarnessOverhead(database, inMemory),
        ];
    }

    private static bool IsSame(ScenarioResult one, ScenarioResult other)
    {
        var (left, right) = (one.Parameters, other.Parameters);
        return one.Scenario == other.Scenario
            && (left.Operations, left.Concurrency, left.Workers, left.Load)
                == (right.Operations, right.Concurrency, right.Workers, right.Load);
    }

    private static double? CpuOf(ScenarioResult scenario) => scenario.CostPerOperation.GetValueOrDefault(MetricNames.EngineCpu)?.Value;
}

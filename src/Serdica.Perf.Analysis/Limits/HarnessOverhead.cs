using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Limits;

/// <summary>
/// The same scenario on a database and in memory, measured in the same run: what engine and load generator cost by
/// themselves. Of repeats the typical one counts.
/// </summary>
/// <param name="Database">On the database.</param>
/// <param name="InMemory">With the same parameters and without a database.</param>
public sealed record HarnessOverhead(ScenarioResult Database, ScenarioResult InMemory)
{
    /// <summary>A scenario that is this much slower in memory waits for something that only the in-memory backend waits for, such as a poll.</summary>
    private const double LargestShare = 1.25;

    /// <summary>
    /// The part of the scenario's time that it would take with a database that costs nothing: 0.1 means that at most a tenth
    /// of the time is the harness's. Null when either has no throughput, the scenario is paced by its delays, or it is
    /// clearly slower in memory.
    /// </summary>
    public double? TimeShare =>
        Database.Lateness is null && Database.ThroughputPerSecond / InMemory.ThroughputPerSecond is { } share and <= LargestShare
            ? share
            : null;

    /// <summary>The part of this process's processor time for each operation that is spent in memory as well.</summary>
    public double? CpuShare => CpuOf(InMemory) / CpuOf(Database);

    /// <summary>One for each scenario of a database that was measured in memory with the same parameters too.</summary>
    public static IReadOnlyList<HarnessOverhead> Of(
        IReadOnlyList<DatabaseDescription> databases, IEnumerable<ScenarioResult> scenarios)
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
            && (left.Operations, left.Concurrency, left.Workers, left.Load) == (right.Operations, right.Concurrency, right.Workers, right.Load);
    }

    private static double? CpuOf(ScenarioResult scenario) =>
        scenario.CostPerOperation.GetValueOrDefault(MetricNames.EngineCpu)?.Value;
}

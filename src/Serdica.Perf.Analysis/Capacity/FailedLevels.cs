namespace Serdica.Perf.Analysis.Capacity;

/// <summary>Levels of a ladder of runs, such as numbers of hosts, that have no figure.</summary>
internal static class FailedLevels
{
    /// <summary>The levels of which no repeat has passed, one sentence for each scenario.</summary>
    /// <param name="runs">One for each level.</param>
    /// <param name="level">The level as in "no figure with 32 hosts".</param>
    public static IEnumerable<string> Of(IReadOnlyList<RunResult> runs, Func<RunResult, ScenarioResult, string> level)
    {
        return from run in runs
               from repeats in run.Scenarios.GroupBy(scenario => scenario.Name)
               where repeats.All(scenario => scenario.Status != ScenarioStatus.Passed)
               let first = repeats.First()
               select $"{repeats.Key}: no figure with {level(run, first)}, because "
                   + $"{(repeats.Count() == 1 ? "it" : "every repeat")} failed: "
                   + $"{first.FailureReasons.FirstOrDefault()?.TrimEnd('.') ?? "no reason is recorded"} (run {run.RunId}).";
    }
}

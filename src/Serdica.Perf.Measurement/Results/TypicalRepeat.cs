namespace Serdica.Perf.Measurement.Results;

/// <summary>Picks the repeat that stands for all repeats of a scenario where a table has room for one.</summary>
public static class TypicalRepeat
{
    /// <summary>
    /// One result for each name, in the order of the first of each: the repeat of median throughput (of two in the middle
    /// the slower), or the first one when none passed.
    /// </summary>
    public static IReadOnlyList<ScenarioResult> Of(IEnumerable<ScenarioResult> scenarios) =>
        [.. scenarios.GroupBy(scenario => scenario.Name).Select(Pick)];

    private static ScenarioResult Pick(IGrouping<string, ScenarioResult> repeats)
    {
        var passed = repeats.Where(repeat => repeat.ThroughputPerSecond is not null).OrderBy(repeat => repeat.ThroughputPerSecond).ToArray();
        return passed.Length == 0 ? repeats.First() : passed[(passed.Length - 1) / 2];
    }
}

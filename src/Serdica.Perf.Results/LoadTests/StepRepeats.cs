namespace Serdica.Perf.Results.LoadTests;

/// <summary>The repeats of the steps of a load test.</summary>
internal static class StepRepeats
{
    /// <summary>One summary for each step that was measured more than once, ordered by first appearance.</summary>
    public static IReadOnlyList<RepeatSummary> Of(IEnumerable<StepResult> steps) =>
        [
            .. steps
                .GroupBy(step => step.Scenario)
                .Select(repeats => repeats.ToArray())
                .Where(repeats => repeats.Length > 1)
                .Select(repeats =>
                    RepeatSummary.Summarize(
                        repeats[0].Scenario,
                        repeats.Length,
                        repeats.Count(step => step.Verdict == StepVerdict.Passed),
                        repeats,
                        step => step.ShownPerSecond,
                        step => step.Response
                    )
                ),
        ];

    /// <summary>
    /// For each step, the repeat with the median p99; for an even number of repeats, the slower of the two in the middle.
    /// </summary>
    public static IEnumerable<StepResult> Typical(IEnumerable<StepResult> steps) =>
        steps.GroupBy(step => step.Scenario).Select(repeats => Slower([.. repeats], step => step.Response));

    /// <summary>
    /// The repeat with the median p99; for an even number of repeats, the slower of the two in the middle. A repeat in which nothing
    /// completed is the slowest.
    /// </summary>
    internal static T Slower<T>(IReadOnlyCollection<T> repeats, Func<T, LatencySummary> response) =>
        repeats.OrderBy(repeat => response(repeat).P99Ms ?? double.PositiveInfinity).ElementAt(repeats.Count / 2);
}

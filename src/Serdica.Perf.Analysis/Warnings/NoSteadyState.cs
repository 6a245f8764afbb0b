namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The rate changed between start and end of the run.</summary>
internal static class NoSteadyState
{
    /// <summary>
    /// A run is not steady when the rate in its last tenth is below this share of that in its first, or above the inverse.
    /// </summary>
    private const double SteadyTailRatio = 0.9;

    /// <summary>With fewer completions, the rate in a tenth of the run is chance.</summary>
    private const int FewestCompletions = 1_000;

    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        if (
            scenario.Status == ScenarioStatus.Passed
            && scenario.Timeline is { } timeline
            && scenario.Family != ScenarioFamilies.Timers
            && scenario.Counts.Completed >= FewestCompletions
            && Problem(timeline) is { } problem
        )
            yield return new(
                WarningCodes.NoSteadyState,
                $"{scenario.Name} had no steady state: {problem}, so one throughput does not describe it.",
                scenario.Name
            );
    }

    private static string? Problem(Timeline timeline) =>
        timeline switch
        {
            { TailRatio: { } ratio and (< SteadyTailRatio or > 1 / SteadyTailRatio) } => Invariant(
                $"its last tenth ran at {ratio:0.00} of the rate of its first"
            ),
            { IsSilentAtFirst: true } => "nothing completed in its first tenth",
            _ => null,
        };
}

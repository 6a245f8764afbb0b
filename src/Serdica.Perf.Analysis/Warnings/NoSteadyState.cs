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
            && scenario.Timeline?.TailRatio is { } ratio
            && scenario.Family != ScenarioFamilies.Timers
            && scenario.Counts.Completed >= FewestCompletions
            && ratio is < SteadyTailRatio or > 1 / SteadyTailRatio
        )
            yield return new(
                WarningCodes.NoSteadyState,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{scenario.Name} had no steady state: its last tenth ran at {ratio:0.00} of the rate of its first, so one "
                        + $"throughput does not describe it."
                ),
                scenario.Name
            );
    }
}

using Serdica.Perf.Analysis.Soak;

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Something that should stay where it is rose or fell during a soak.</summary>
internal static class UnwelcomeTrends
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario) =>
        from series in scenario.Soak?.Series ?? []
        where scenario.Status == ScenarioStatus.Passed && series.IsFinding
        select new RunWarning(
            series.Unwelcome == TrendVerdict.Rising ? WarningCodes.RisingTrend : WarningCodes.FallingTrend,
            $"{scenario.Name}: {series.Name} was {SoakText.Trend(series)} over {Invariant($"{scenario.DurationMs / 1000:0}")} s.",
            scenario.Name
        );
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The warm-up ended before the scenario was warm.</summary>
internal static class NotWarm
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        if (scenario is { Status: ScenarioStatus.Passed, WarmUp: { End: WarmUpEnd.TimeLimit or WarmUpEnd.NothingCompleted } warmUp })
            yield return new(
                WarningCodes.NotWarm,
                Invariant($"The warm-up of {scenario.Name} ended after {warmUp.DurationMs / 1_000:0.0} s and {warmUp.Operations:#,0} ")
                    + (
                        warmUp.End == WarmUpEnd.TimeLimit
                            ? "operations, while its rate still rose or its operations were too few: later repeats may be faster."
                            : "operations, because no further one completed."
                    ),
                scenario.Name
            );
    }
}

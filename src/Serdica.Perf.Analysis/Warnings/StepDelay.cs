namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The steps of the scenario were made slow on purpose.</summary>
internal static class StepDelay
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        if (scenario.Parameters.StepDelayMs is { } delay)
            yield return new(
                WarningCodes.StepDelay,
                Invariant(
                    $"{scenario.Name} was made slow on purpose: each operation slept {delay:0.###} ms in its last step (--step-delay)."
                ),
                scenario.Name
            );
    }
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Collectors could not take some of their samples.</summary>
internal static class SamplesMissing
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        if (scenario.Collectors is { Failed: > 0 } collectors)
            yield return new(
                WarningCodes.SamplesMissing,
                Invariant($"{collectors.Failed} of {collectors.Samples + collectors.Failed} samples of {scenario.Name} could not be ")
                    + Invariant($"taken, the first because: {collectors.Error}"),
                scenario.Name
            );
    }
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>With fewer samples than a percentile needs, it is just the maximum.</summary>
internal static class FewSamples
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        var count = scenario.ServiceTime.Count;
        var weak = LatencySummary.PercentileNeeds.Where(need => count < need.Samples).Select(need => need.Name).ToArray();
        if (scenario.Status == ScenarioStatus.Passed && count > 0 && weak.Length > 0)
            yield return new(
                WarningCodes.FewSamples,
                Invariant($"{scenario.Name} has {count} samples, too few for {string.Join(", ", weak)}: read the maximum instead."),
                scenario.Name
            );
    }
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The generator itself was late.</summary>
internal static class GeneratorLimited
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        if (GeneratorLimit.IsOf(scenario))
            yield return new(
                WarningCodes.GeneratorLimited,
                Invariant($"{scenario.Name} was limited by its load generator: the generator's own lag had a p99 of ")
                    + Invariant($"{scenario.GeneratorLag!.P99Ms:0.0} ms (bound {GeneratorLimit.LagMs} ms)."),
                scenario.Name
            );
    }
}

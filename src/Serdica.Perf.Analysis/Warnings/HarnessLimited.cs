namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The limit was the process of engine and load generator, not the database.</summary>
internal static class HarnessLimited
{
    /// <summary>When engine and generator use this share of their cores, the figures describe them and not the database.</summary>
    private const double ProcessorShare = 0.9;

    /// <summary>From this share of the rate without a database, a measurement describes the harness and not the database.</summary>
    private const double TimeShare = 0.8;

    /// <param name="use">Null when it is unknown.</param>
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario, ProcessorUse? use)
    {
        if (use is { Engine: { } engine } && engine >= ProcessorShare * use.Available)
            yield return new(
                WarningCodes.HarnessLimited,
                Invariant(
                    $"{scenario.Name} was limited by engine and load generator: they used {engine:0.00} of {use.Available:0.##} cores."
                ),
                scenario.Name
            );
    }

    public static IEnumerable<RunWarning> Of(HarnessOverhead overhead)
    {
        if (overhead.TimeShare >= TimeShare)
            yield return new(
                WarningCodes.HarnessLimited,
                Invariant($"{overhead.Database.Name} ran at {overhead.TimeShare * 100:0} % of the rate without a database: it shows ")
                    + "engine and load generator, not the database.",
                overhead.Database.Name
            );
    }
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Operations of an open load started late or never.</summary>
internal static class LoadNotHeld
{
    /// <summary>Above this share of late arrivals, the response times describe another load than the requested one.</summary>
    private const double TolerableLate = 0.01;

    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        var counts = scenario.Counts;
        if (scenario.Status == ScenarioStatus.Passed && (counts.Dropped > 0 || counts.Late > TolerableLate * counts.Started))
            yield return new(
                WarningCodes.LoadNotHeld,
                Invariant($"{scenario.Name} did not hold its rate: of {counts.Started + counts.Dropped:#,0} arrivals {counts.Late:#,0} ")
                    + Invariant($"started late and {counts.Dropped:#,0} never, because no caller was free or the generator itself was ")
                    + "late.",
                scenario.Name
            );
    }
}

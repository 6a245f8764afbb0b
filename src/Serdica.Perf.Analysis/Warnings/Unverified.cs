namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Nothing that the load left in the database was compared with what it should have left.</summary>
internal static class Unverified
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario)
    {
        if (scenario.Unverified is { } reason)
            yield return new(WarningCodes.Unverified, $"{scenario.Name} is UNVERIFIED: {reason}", scenario.Name);
    }
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The system counted less processor time for the machine than its processes used.</summary>
internal static class ProcessorsUndercounted
{
    /// <param name="use">Null when it is unknown.</param>
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario, ProcessorUse? use)
    {
        if (use is { IsUndercounted: true })
            yield return new(
                WarningCodes.ProcessorsUndercounted,
                Invariant($"The system counted {use.Counted:0.00} busy cores while {scenario.Name} was measured, and engine and database ")
                    + Invariant($"alone used {use.Machine:0.00}: what others used is not known."),
                scenario.Name
            );
    }
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Others used the machine, before the run or during it.</summary>
internal static class BusyMachine
{
    /// <summary>The share of the machine's cores that others may use before it affects the figures.</summary>
    private const double OthersShare = 0.1;

    public static IEnumerable<RunWarning> Before(EnvironmentFingerprint environment)
    {
        if (environment.LoadAverageAtStart > environment.Machine.LogicalCores)
            yield return new(
                WarningCodes.BusyMachine,
                Invariant($"The load average was {environment.LoadAverageAtStart:0.0} on {environment.Machine.LogicalCores} cores when ")
                    + "the run started: in the minute before, other programs or an earlier run used the machine."
            );
    }

    /// <param name="use">Null when it is unknown.</param>
    public static IEnumerable<RunWarning> During(ScenarioResult scenario, ProcessorUse? use)
    {
        if (use is { Others: { } others } && others > OthersShare * use.MachineCores)
            yield return new(
                WarningCodes.BusyMachine,
                Invariant(
                    $"Others used {others:0.00} of {use.MachineCores} cores while {scenario.Name} was measured, beside engine and database."
                ),
                scenario.Name
            );
    }
}

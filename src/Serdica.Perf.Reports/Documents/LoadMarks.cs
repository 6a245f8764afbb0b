namespace Serdica.Perf.Reports.Documents;

/// <summary>What is marked in the charts of a load test: its phases, and what went wrong in them.</summary>
internal static class LoadMarks
{
    /// <summary>The marks of all steps, in seconds from the start of the test.</summary>
    public static IEnumerable<ReportMark> Of(LoadTestResult test)
    {
        foreach (var phase in test.Phases)
            yield return Phase(phase, test.Steps.FirstOrDefault(step => step.Name == phase.Step));
        foreach (
            var (phase, step) in from phase in Measured(test.Phases)
                                 join step in test.Steps on phase.Step equals step.Name
                                 select (phase, step)
        )
        {
            foreach (var fault in FaultsOf(step, phase.FromSeconds, phase.ToSeconds))
                yield return fault;
        }

        if (test.Profile.WorkerDelay > TimeSpan.Zero && Measured(test.Phases).FirstOrDefault() is { } first)
            yield return new(Significant.Of(first.FromSeconds + test.Profile.WorkerDelay.TotalSeconds), null, "workers start");
    }

    /// <summary>The marks of a phase of the bare queue, whose steps have no errors of their own.</summary>
    public static ReportMark Of(LoadPhase phase) => Phase(phase, null);

    /// <summary>What went wrong in a step, from the start of its window.</summary>
    public static IEnumerable<ReportMark> FaultsOf(StepResult step) =>
        FaultsOf(step, 0, Math.Max(step.PlannedSeconds, step.ElapsedSeconds));

    public static IEnumerable<LoadPhase> Measured(IEnumerable<LoadPhase> phases) => phases.Where(phase => phase.Kind == LoadPhaseKind.Step);

    private static IEnumerable<ReportMark> FaultsOf(StepResult step, double from, double to)
    {
        if (step.Errors.MinBy(error => error.FirstAtSeconds) is { } canary)
            yield return new(
                Significant.Of(from + canary.FirstAtSeconds),
                null,
                Invariant($"first of {step.Errors.Sum(error => error.Count):#,0} errors"),
                IsFault: true
            );
        if (step.GivenUp)
            yield return new(Significant.Of(to), null, "stopped as futile", IsFault: true);
    }

    private static ReportMark Phase(LoadPhase phase, StepResult? step)
    {
        var leftOver = phase.Kind == LoadPhaseKind.Drain && step is { DrainLimitReached: true };
        var label =
            Words(phase)
            + (
                phase.BrokenOff ? ", aborted"
                : leftOver ? " up to its limit"
                : ""
            );
        return new(
            Significant.Of(phase.FromSeconds),
            Significant.Of(phase.ToSeconds),
            label,
            phase.BrokenOff || leftOver,
            phase.Kind == LoadPhaseKind.Step
        );
    }

    private static string Words(LoadPhase phase) =>
        phase.Kind switch
        {
            LoadPhaseKind.Ceiling => "generator alone",
            LoadPhaseKind.WarmUp => "warm-up",
            LoadPhaseKind.Calibration => "calibration",
            LoadPhaseKind.Backlog => "backlog prepared",
            LoadPhaseKind.Step => phase.Step!,
            LoadPhaseKind.Drain => "drain",
            LoadPhaseKind.Cooldown => "cooldown",
            _ => "audit",
        };
}

namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>
/// Names the layer that kept a step from its load, with evidence: a configured limit, the generator, and then what <see
/// cref="LimitAnalysis"/> finds in the use of processors and the waits of the database. An unknown limit is reported as such.
/// </summary>
internal static class LimitingLayer
{
    public const string Generator = "generator";
    public const string Slots = "configured limit: slots";
    public const string Users = "configured limit: callers";

    /// <summary>Above this share of busy slots, no room is left for random arrivals.</summary>
    private const double FullShare = 0.95;

    public static (string Layer, string Evidence) Of(
        RunResult run,
        ScenarioResult scenario,
        StepResult step,
        LoadProfile profile,
        WorkShape? shape
    )
    {
        // Arithmetic first: no generator could have achieved what the slots cannot.
        if (SlotsOf(step, profile, shape) is { } slots)
            return (Slots, slots);
        if (step.GeneratorLimited)
            return (
                Generator,
                Invariant($"Calls that were due while a caller was free were made late, with a p99 of {step.GeneratorLag.P99Ms:0.0} ms: ")
                    + "the process that generates the load did not keep up."
            );

        var finding = Finding(run, scenario with { Saturation = step.Saturation });
        if (finding is { Limit: not (Limit.Unknown or Limit.Callers) })
            return (LimitFinding.Sentence(finding.Limit), finding.Evidence);

        if (WantsUsers(step, finding?.Processors))
            return (Users, Invariant($"All {step.PeakUsers:N0} callers were busy while arrivals waited. {finding?.Evidence}").TrimEnd());
        return (
            LimitFinding.Sentence(Limit.Unknown),
            finding?.Evidence ?? "There is no evidence: the window was too short, or nothing was collected."
        );
    }

    /// <summary>All users were busy while arrivals waited. On a machine that is fully used, more of them would only wait more.</summary>
    public static bool WantsUsers(StepResult step, ProcessorUse? processors) =>
        processors?.IsFull() != true && step.PeakUsers >= step.MaxUsers && step.Counts.Dropped + step.Counts.Late > 0;

    /// <summary>The finding of the analysis, which only accepts scenarios that passed; the question here is why a step did not.</summary>
    public static LimitFinding? Finding(RunResult run, ScenarioResult scenario) =>
        LimitAnalysis
            .Of(
                run with
                {
                    Databases = [.. run.Databases.Where(database => !database.IsInProcess)],
                    Scenarios = [scenario with { Status = ScenarioStatus.Passed, Verification = [] }],
                }
            )
            .SingleOrDefault();

    private static string? SlotsOf(StepResult step, LoadProfile profile, WorkShape? shape)
    {
        if (profile.Slots is not { } slots || shape is not { HasActivity: true } || shape.ActivityDelay <= TimeSpan.Zero)
            return null;

        var capacity = slots / shape.ActivityDelay.TotalSeconds / shape.FanOut;
        return step.OfferedPerSecond >= FullShare * capacity
            ? Invariant($"{slots:N0} slots with activities of {shape.ActivityDelay.TotalMilliseconds:0.##} ms can do {capacity:N1} ")
                + Invariant($"operations a second at most, and {step.OfferedPerSecond:N1} were offered.")
            : null;
    }
}

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Keeps unsuitable runs out of what others are compared with: baselines and history.</summary>
internal static class UnfitRun
{
    /// <summary>How it ended, and why: "aborted: Stopped by the user"; without a full stop.</summary>
    public static string Ended(RunResult run) =>
        run.Status.ToString().ToLowerInvariant() + (run.StatusReason is { } reason ? $": {reason.TrimEnd('.')}" : "");

    /// <exception cref="BaselineException">The run's figures do not describe the code as it is.</exception>
    public static void Refuse(RunResult run)
    {
        if (run.Status != RunStatus.Passed)
            throw new BaselineException($"The run {run.RunId} is {Ended(run)}. Only a run that passed can become a baseline.");
        if (run.Scenarios.SelectMany(Unverified.Of).FirstOrDefault() is { } unverified)
            throw new BaselineException($"{unverified.Sentence} Only a run whose results were verified can become a baseline.");
        if (DebugBuild.Of(run.Environment.Runtime).Any())
            throw new BaselineException(
                $"The run {run.RunId} is of a Debug build, whose figures are too slow. Measure again with -c Release."
            );
        if (DebuggerAttached.Of(run.Environment.Runtime).Any())
            throw new BaselineException($"A debugger was attached to the run {run.RunId}. Measure again without one.");
        if (run.Scenarios.SelectMany(StepDelay.Of).Any())
            throw new BaselineException($"The run {run.RunId} was made slow on purpose. Measure again without --step-delay.");
    }
}

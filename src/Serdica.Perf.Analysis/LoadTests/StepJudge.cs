namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>Judges a step from its figures alone; the rule is the same for one generator and for merged ones.</summary>
internal static class StepJudge
{
    /// <summary>The share of the offered rate that counts as held.</summary>
    public const double HeldShare = 0.995;

    /// <summary>Below this share of the offered rate a step has failed instead of being degraded.</summary>
    public const double MissedShare = 0.95;

    /// <summary>Above this share of late starts, the figures describe another load.</summary>
    public const double TolerableLate = 0.01;

    /// <summary>Version conflicts for each operation: above this they are not accidental.</summary>
    private const double TolerableConflicts = 0.01;

    /// <param name="step">The step without a verdict.</param>
    /// <param name="data">Raw data for thresholds on figures that the result does not have.</param>
    public static StepResult Judge(
        StepResult step,
        IReadOnlyList<Threshold> thresholds,
        IReadOnlyList<VerificationCheck> checks,
        StepData? data = null
    )
    {
        var judged = StepThresholds
            .Of(step, thresholds)
            .Select(threshold => (Threshold: threshold, Result: StepThresholds.Judge(step, threshold, data ?? StepData.None)))
            .ToArray();
        step = step with { Growth = SustainedLoad.Of(step), Thresholds = [.. judged.Select(threshold => threshold.Result)] };
        step = step with { Saturation = Saturation.Of(step, Missed(step, MissedShare)) };
        VerificationCheck[] failedChecks = [.. checks.Where(check => !check.Passed)];
        string[] failures = [.. failedChecks.Select(check => check.Failure), .. Failures(step, judged)];
        string[] doubts = [.. Doubts(step)];
        return step with
        {
            Verdict =
                failures.Length > 0 ? StepVerdict.Failed
                : doubts.Length > 0 ? StepVerdict.Degraded
                : StepVerdict.Passed,
            Reasons = [.. failures, .. doubts],
            FailedChecks = failedChecks,
        };
    }

    private static IEnumerable<string> Failures(StepResult step, IReadOnlyList<(Threshold Threshold, ThresholdResult Result)> thresholds)
    {
        if (step.EndedEarly is { } evidence)
            yield return evidence;
        var counts = step.Counts;
        if (!counts.Balanced)
            yield return Invariant($"The counts do not balance: {counts.Offered:N0} offered, {counts.Started:N0} started, ")
                + Invariant($"{counts.Completed:N0} completed, {counts.Failed:N0} failed, {counts.Running:N0} running, ")
                + Invariant($"{counts.Dropped:N0} dropped.");
        // Where there are several, one that was not kept.
        var allowed = thresholds
            .Where(threshold => threshold.Threshold is { Metric: ThresholdMetrics.ErrorRate, IsUpper: true })
            .OrderBy(threshold => threshold.Result.Held)
            .FirstOrDefault();
        if (counts.Failed > 0 && allowed.Result is not { Held: true })
            yield return Invariant($"{counts.Failed:N0} of {counts.Started:N0} operations failed ")
                + Invariant($"({Percent(counts.Failed, counts.Started)}, allowed ")
                + Invariant($"{(allowed.Threshold?.Limit ?? 0) * 100:0.##} %){Canary(step)}");
        if (counts.Running > 0)
            yield return Invariant(
                $"{counts.Running:N0} of {counts.Started:N0} operations were still running when the drain limit had passed."
            );
        if (counts.Dropped > 0)
            yield return Invariant($"{counts.Dropped:N0} of {counts.Offered:N0} arrivals were never started{Busy(step)}");
        if (Missed(step, MissedShare) is { } missed)
            yield return missed;
        if (SustainedLoad.GrowingBacklog(step) is { Sentence: var growing, Share: > 1 - MissedShare })
            yield return growing;
        foreach (var (threshold, result) in thresholds.Where(threshold => !threshold.Result.Held))
        {
            if (threshold.Metric != ThresholdMetrics.ErrorRate || !threshold.IsUpper || counts.Failed == 0)
                yield return Broken(step, threshold, result);
        }

        if (step.Reads is not { } reads)
            yield break;
        if (reads.Failed > 0)
            yield return Invariant($"{reads.Failed:N0} of {reads.Completed + reads.Failed:N0} reads failed.");
        if (MissedReads(step, reads, MissedShare) is { } missedReads)
            yield return missedReads;
    }

    private static string Busy(StepResult step) =>
        step.EndedEarly is not null
            ? ", because the test was ended."
            : Invariant($"{(step.GivenUp ? ", and the step was stopped as futile" : "")}: all {step.PeakUsers:N0} callers were busy.");

    private static string Broken(StepResult step, Threshold threshold, ThresholdResult result)
    {
        if (result.Missing is { } missing)
            return $"The threshold '{result.Threshold}' could not be judged: {missing}";
        var limit =
            $"the threshold is {(threshold.Bound is ThresholdBound.Below or ThresholdBound.Above
            ? threshold.IsUpper ? "below " : "above "
            : threshold.IsUpper ? "at most " : "at least ")}{threshold.Shown(threshold.Limit)}.";
        if (threshold is { Metric: ThresholdMetrics.Lateness, Statistic: null })
            return $"{result.Shown} of the arrivals started late or never; {limit}";
        var failures =
            step.Counts.Failed > 0 && threshold is { Metric: ThresholdMetrics.ResponseTime }
                ? Invariant($" It covers the operations that completed; the {step.Counts.Failed:N0} that failed are listed separately.")
                : "";
        return $"The {Words(threshold)} was {result.Shown}; {limit}{failures}";
    }

    private static string Words(Threshold threshold)
    {
        var figure = threshold.Metric switch
        {
            PhaseNames.ResponseTime => "response time",
            PhaseNames.ServiceTime => "service time",
            PhaseNames.Read => "response time of the reads",
            _ => threshold.Metric,
        };
        return threshold.Statistic is { } statistic ? $"{statistic} of the {figure}" : figure;
    }

    private static IEnumerable<string> Doubts(StepResult step)
    {
        if (step.Counts is { Offered: 0, Started: 0 })
            yield return "No operation was started, so nothing was tested.";
        if (step.Reads is { Offered: 0, Completed: 0, Failed: 0 })
            yield return "No read was due, so reads were not tested.";
        if (step.GeneratorLimited)
            yield return Invariant($"Generator-limited: the generator's own lag had a p99 of {step.GeneratorLag.P99Ms:0.0} ms (bound ")
                + Invariant($"{GeneratorLimit.LagMs} ms), so the figures are partly its own.");
        if (step.Unverified is { } unverified)
            yield return $"UNVERIFIED: {unverified}";
        if (
            step.Reads is { } reads
            && MissedReads(step, reads, MissedShare) is null
            && MissedReads(step, reads, HeldShare) is { } missedReads
        )
            yield return missedReads;
        if (step.Contamination > 0)
            yield return Invariant(
                $"Contaminated: it started with {step.Contamination:N0} instances, signals and messages left of the step before."
            );
        if (step.UsedUp)
            yield return Invariant($"Its {step.Counts.Started:N0} operations were used up after {step.PlannedSeconds:0.0} s, before its ")
                + "time was over, and the rates are over that time: its workflow makes no more of them in one step.";
        if (step.Oscillation is { Cycles: 0 } steady)
            yield return Invariant($"The backlog never reached its upper bound: it was {steady.PeakBacklog:N0} at most, since operations ")
                + "end as fast as they arrive.";
        if (step.ConflictsPerOperation > TolerableConflicts)
            yield return Invariant(
                $"There were {step.ConflictsPerOperation:0.###} version conflicts for each operation; all were repeated, and none is usual."
            );
        if (Missed(step, MissedShare) is null && Missed(step, HeldShare) is { } missed)
            yield return missed;
        foreach (var doubt in NotSustained(step))
            yield return doubt;
        if (step.Kind == LoadKind.Open && step.Counts.Late > TolerableLate * step.Counts.Offered)
            yield return Invariant($"{Percent(step.Counts.Late, step.Counts.Offered)} of the arrivals started more than 10 ms late.");
    }

    private static IEnumerable<string> NotSustained(StepResult step)
    {
        if (SustainedLoad.GrowingBacklog(step) is { } growing)
        {
            if (growing.Share <= 1 - MissedShare)
                yield return growing.Sentence;
        }
        else if (SustainedLoad.GrowingResponse(step) is { } slower)
            yield return slower;
        else if (SustainedLoad.Undecided(step, 1 - MissedShare) is { } undecided)
            yield return undecided;
    }

    /// <summary>
    /// Checks started operations over time, and completed ones in time: operations beyond the usual backlog that are left at the
    /// planned end were not completed at the rate. Without points, the time ends with the last completion.
    /// </summary>
    private static string? Missed(StepResult step, double share)
    {
        if (step is not { Kind: LoadKind.Open, OfferedPerSecond: { } offered and > 0 })
            return null;
        if (step.StartedPerSecond < share * offered)
            return Invariant($"It started {step.StartedPerSecond:N1} of {offered:N1} operations a second ")
                + Invariant($"({step.StartedPerSecond / offered * 100:0.0} %).");
        if (step.Growth is { Left: var left })
        {
            return left > (1 - share) * step.Counts.Offered + 1
                ? Invariant($"Behind its load: {left:N0} of {step.Counts.Offered:N0} operations more than usual had not ended when the ")
                    + Invariant($"last arrival was due ({Percent((long)left, step.Counts.Offered)}); the last completion came ")
                    + Invariant($"{step.ElapsedSeconds - step.PlannedSeconds:0.0} s later.")
                : null;
        }

        return step.CompletedPerSecond < share * offered
            ? Invariant($"It completed {step.CompletedPerSecond:N1} of {offered:N1} operations a second ")
                + Invariant($"({step.CompletedPerSecond / offered * 100:0.0} %).")
            : null;
    }

    /// <summary>Checks completed reads against arrived ones; the last of them may end after the planned time.</summary>
    private static string? MissedReads(StepResult step, ReadFigures reads, double share)
    {
        var offered = reads.Offered / Math.Max(step.PlannedSeconds, double.Epsilon);
        return reads.Completed + reads.Failed < share * reads.Offered
                ? Invariant($"{reads.AchievedPerSecond:N1} of {offered:N1} reads a second ended ")
                    + Invariant($"({Percent(reads.Completed + reads.Failed, reads.Offered)}).")
            : reads.AchievedPerSecond < share * offered && reads.Offered - (share * reads.Offered) > 1
                ? Invariant($"{reads.AchievedPerSecond:N1} of {offered:N1} reads a second ended, the last of them late.")
            : null;
    }

    /// <summary>The earliest error is the one to investigate: later ones are often its consequences.</summary>
    private static string Canary(StepResult step)
    {
        var refused = step.Errors.Any(error => error.IsRefusal);
        var refusals = refused ? " The server refused some for lack of capacity (backpressure)." : "";
        return step.Errors.MinBy(error => error.FirstAtSeconds) is { } first
            ? Invariant(
                $". The first was {first.Kind} in '{first.Operation}' after {first.FirstAtSeconds:0.0} s: {first.FirstMessage}{refusals}"
            )
            : ".";
    }

    private static string Percent(long part, long whole) => whole == 0 ? "0 %" : Invariant($"{(double)part / whole * 100:0.##} %");
}

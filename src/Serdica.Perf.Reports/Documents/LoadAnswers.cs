namespace Serdica.Perf.Reports.Documents;

/// <summary>What a reader wants to know first of a load test.</summary>
internal static class LoadAnswers
{
    public static string Outcome(ReportLoadTest test)
    {
        var sentence = test.Found?.Sentence
            ?? Invariant($"{Count(test, StepVerdict.Passed):#,0} of {test.Steps.Count:#,0} steps ")
                + Invariant($"passed{Also(test, StepVerdict.Degraded, "degraded")}{Also(test, StepVerdict.Failed, "failed")}.");
        var worst = test.Found is null
            ? test.Steps.Where(step => step.Verdict != StepVerdict.Passed && step.Reasons.Count > 0).MaxBy(step => step.Verdict)
            : null;
        return $"Load test {test.Name} on {test.Backend}: {test.Verdict.ToString().ToLowerInvariant()}. "
            + $"{sentence}{(worst is null ? "" : $" {worst.Name}: {worst.Reasons[0]}")}";
    }

    /// <summary>The highest rate that held, or, when none did, that came right with a doubt.</summary>
    public static ReportSpeed? Speed(ReportLoadTest test, string label) =>
        (Fastest(test, StepVerdict.Passed) ?? Fastest(test, StepVerdict.Degraded)) is { CompletedPerSecond: { } perSecond } step
            ? new(
                label,
                step.Name,
                Load(test, step),
                test.Operation,
                perSecond,
                step.Response.P50Ms,
                step.Response.P99Ms,
                SerialP50Ms: null,
                step.Measured
            )
            : null;

    /// <summary>The limit of the lowest rate that failed, or, where none failed, of the lowest degraded one.</summary>
    public static ReportLimit? Limit(ReportLoadTest test, string label)
    {
        var limited = test
            .Steps.Where(step => step.LimitedBy is not null)
            .OrderByDescending(step => step.Verdict)
            .ThenBy(step => step.TargetPerSecond)
            .FirstOrDefault();
        if (limited is not null)
            return new(label, limited.LimitedBy!, limited.LimitEvidence ?? "", limited.Name);
        return Fastest(test, StepVerdict.Passed) is { } fastest
            ? new(
                label,
                Invariant($"Nothing up to {fastest.CompletedPerSecond:#,0.#} operations/s"),
                test.Verdict == StepVerdict.Passed
                    ? "Every step passed. Higher rates were not tried."
                    : "This is the fastest step that passed. The test as a whole did not pass, and no step shows what limits it.",
                fastest.Name
            )
            : null;
    }

    /// <summary>
    /// One of the steps that have a throughput. A search does not stand by a rate above the one that it confirmed, or by one that failed
    /// later, though a trial may have passed.
    /// </summary>
    private static ReportLoadStep? Fastest(ReportLoadTest test, StepVerdict verdict) =>
        test
            .Steps.Where(step =>
                step.Verdict == verdict
                && step.CompletedPerSecond is not null
                && !(step.TargetPerSecond > test.Found?.PerSecond)
                && !(step.TargetPerSecond >= test.Found?.LowestFailed)
            )
            .MaxBy(step => step.CompletedPerSecond);

    private static string Load(ReportLoadTest test, ReportLoadStep step) =>
        step.TargetPerSecond is { } target
            ? Invariant($"{test.Name}, target {target:#,0.##} a second")
            : $"{test.Name}, as fast as it goes";

    private static string Also(ReportLoadTest test, StepVerdict verdict, string word) =>
        Count(test, verdict) is var count and > 0 ? Invariant($", {count:#,0} {word}") : "";

    private static int Count(ReportLoadTest test, StepVerdict verdict) => test.Steps.Count(step => step.Verdict == verdict);
}

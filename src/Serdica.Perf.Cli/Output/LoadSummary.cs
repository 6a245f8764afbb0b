using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Cli.Output;

/// <summary>What is printed at the end of a load test.</summary>
internal static class LoadSummary
{
    public static void Write(TextWriter writer, LoadTestResult? test, RunResult run, RunFolder folder)
    {
        foreach (var missing in run.NotMeasured)
            writer.WriteLine($"Not measured: {missing.Backend}: {missing.Reason}");
        foreach (var step in test?.Steps ?? [])
            WriteStep(writer, step, isTrial: test!.Found is not null);
        foreach (var repeats in StepRepeats.Of(test?.Steps ?? []))
        {
            writer.WriteLine(
                Invariant($"{repeats.Name}: {repeats.Passed} of {repeats.Repeats} passed, p99 {repeats.P99Ms?.Median:N2} ms ")
                + Invariant($"(median; {repeats.P99Ms?.Min:N2} to {repeats.P99Ms?.Max:N2})"));
        }

        if (test?.Found is { } found)
            writer.WriteLine(found.Sentence);
        if (run.Status == RunStatus.Aborted)
            writer.WriteLine($"ABORTED: {run.StatusReason}");
        else if (test is not null)
            writer.WriteLine($"{test.Verdict.ToString().ToUpperInvariant()}.");
        writer.WriteLine($"Run folder: {Path.GetRelativePath(Directory.GetCurrentDirectory(), folder.Path)}");
    }

    private static void WriteStep(TextWriter writer, StepResult step, bool isTrial)
    {
        var verdict = !isTrial ? step.Verdict.ToString().ToUpperInvariant() : step.Verdict == StepVerdict.Passed ? "held" : "did not hold";
        var counts = step.Counts;
        writer.WriteLine(
            Invariant($"{step.Name}: {verdict}, {Target(step)}started {step.StartedPerSecond:N1}/s, ")
            + Invariant($"completed {step.CompletedPerSecond:N1}/s, response p50 {step.Response.P50Ms:N2} ms, ")
            + Invariant($"p99 {step.Response.P99Ms:N2} ms, max {step.Response.MaxMs:N2} ms"));
        writer.WriteLine(
            Invariant($"  {counts.Started:N0} started = {counts.Completed:N0} completed + {counts.Failed:N0} failed ")
            + Invariant($"+ {counts.Running:N0} running; {counts.InjectedFailures:N0} failed on purpose, {counts.Late:N0} late, ")
            + Invariant($"{counts.Dropped:N0} dropped, {step.PeakUsers:N0} callers, drain {step.DrainSeconds:N2} s"));
        foreach (var reason in step.Reasons)
            writer.WriteLine($"  {reason}");
        if (step.LimitedBy is { } layer)
            writer.WriteLine($"  Limited by: {layer}. {step.LimitEvidence}");
    }

    private static string Target(StepResult step) => step.TargetPerSecond is { } target ? Invariant($"target {target:N1}/s, ") : "";
}

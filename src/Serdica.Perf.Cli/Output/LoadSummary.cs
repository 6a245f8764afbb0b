using Serdica.Perf.Analysis.LoadTests;

namespace Serdica.Perf.Cli.Output;

/// <summary>What is printed at the end of a load test.</summary>
internal static class LoadSummary
{
    public static void Write(TextWriter writer, LoadTestResult? test, RunResult run, RunFolder folder)
    {
        RunSummary.WriteNotMeasured(writer, run);
        foreach (var step in test?.Steps ?? [])
            WriteStep(writer, step, isTrial: test!.Found is not null);
        foreach (var repeats in StepRepeats.Of(test?.Steps ?? []))
        {
            writer.WriteLine(
                Invariant($"{repeats.Name}: {repeats.Passed} of {repeats.Repeats} passed")
                    + (
                        repeats.P99Ms is { } p99
                            ? Invariant($", p99 {p99.Median:N2} ms (median; {p99.Min:N2} to {p99.Max:N2})")
                            : ", with too few operations for a p99"
                    )
            );
        }

        foreach (var debt in CarriedDebt.Of(test?.Steps ?? []))
            writer.WriteLine($"Carried over: {debt}");
        if (test is not null)
            writer.WriteLine(
                Invariant($"The generator alone reaches {test.GeneratorCeilingPerSecond:N0} round trips/s over the loopback.")
            );
        if (test?.NotRun is { Count: > 0 } notRun)
            writer.WriteLine($"Not completed, because the test was ended: {string.Join(", ", notRun)}.");
        if (test?.Found is { } found)
            writer.WriteLine(found.Sentence);
        if (run.Status == RunStatus.Aborted)
            writer.WriteLine($"ABORTED: {run.StatusReason}");
        else if (test is not null)
            writer.WriteLine($"{test.Verdict.ToString().ToUpperInvariant()}.");
        RunPlace.Write(writer, folder);
    }

    private static void WriteStep(TextWriter writer, StepResult step, bool isTrial)
    {
        var verdict =
            !isTrial ? step.Verdict.ToString().ToUpperInvariant()
            : step.Verdict == StepVerdict.Passed ? "held"
            : "did not hold";
        var (counts, response) = (step.Counts, step.Response.Shown());
        writer.WriteLine(
            Invariant($"{step.Name}: {verdict}, {Target(step)}started {step.StartedPerSecond:N1}/s, ")
                + (step.ShownPerSecond is { } completed ? Invariant($"completed {completed:N1}/s, ") : "")
                + $"response {Percentile("p50", response.P50Ms)}"
                + $"{Percentile("p99", response.P99Ms)}{Percentile("max", response.MaxMs)}".TrimEnd(',', ' ')
        );
        writer.WriteLine(
            Invariant($"  {counts.Started:N0} started = {counts.Completed:N0} completed + {counts.Failed:N0} failed ")
                + Invariant($"+ {counts.Running:N0} running; {counts.InjectedFailures:N0} failed on purpose, {counts.Late:N0} late, ")
                + Invariant($"{counts.Dropped:N0} dropped, {Figure.Number(step.PeakUsers, "caller")}, drain {step.DrainSeconds:N2} s")
        );
        if (step.UntilFailure is { Count: > 0, P50Ms: var median, MaxMs: var longest })
            writer.WriteLine(Invariant($"  failed after {median:N2} ms (median) to {longest:N2} ms; no latency above includes them"));
        foreach (var reason in step.Reasons)
            writer.WriteLine($"  {reason}");
        foreach (var kind in step.Kinds)
            writer.WriteLine(
                Invariant($"  {kind.Name}: {kind.Started:N0} started = {kind.Completed:N0} completed + {kind.Failed:N0} failed ")
                    + Invariant($"+ {kind.Started - kind.Completed - kind.Failed:N0} running; ")
                    + (kind.ShownPerSecond is { } rate ? Invariant($"{rate:N1}/s, ") : "")
                    + "response "
                    + Invariant($"{Percentile("p50", kind.Response.Shown().P50Ms)}{Percentile("p99", kind.Response.Shown().P99Ms)}")
                        .TrimEnd(',', ' ')
            );
        foreach (var threshold in step.Thresholds)
        {
            var measured = threshold.Shown is { } shown ? $"measured {shown}" : "not judged";
            writer.WriteLine($"  {(threshold.Held ? "kept" : "BROKEN")}: {threshold.Threshold}, {measured}");
        }

        if (step.LimitedBy is { } layer)
            writer.WriteLine($"  Limited by: {layer}. {step.LimitEvidence}");
    }

    /// <summary>Empty when there are too few samples.</summary>
    internal static string Percentile(string name, double? value) => value is null ? "" : Invariant($"{name} {value:N2} ms, ");

    private static string Target(StepResult step) => step.TargetPerSecond is { } target ? Invariant($"target {target:N1}/s, ") : "";
}

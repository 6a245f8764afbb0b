using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Cli.Output;

/// <summary>What is printed at the end of a queue test.</summary>
internal static class QueueSummary
{
    public static void Write(TextWriter writer, QueueTestResult? test, RunResult run, RunFolder folder)
    {
        RunSummary.WriteNotMeasured(writer, run);
        if (test is not null)
        {
            writer.WriteLine(
                $"{Moved("Written", test.Written, test.ShownWrittenPerSecond, test.WrittenMebibytesPerSecond)}; "
                    + $"{Moved("read", test.Read, test.ShownReadPerSecond, test.ReadMebibytesPerSecond)}; "
                    + Invariant($"{test.UnreadAtEnd:N0} unread when writing ended, at most {test.PeakUnread:N0}")
            );
            WriteLatency(writer, "write", test.Write.Shown());
            WriteLatency(writer, "read", test.ReadTime.Shown());
            WriteLatency(writer, "end to end", test.EndToEnd.Shown());
            foreach (var level in test.Ladder)
            {
                var rates = Rates(level.ShownWrittenPerSecond, level.ShownReadPerSecond, level.EndToEnd.Shown());
                writer.WriteLine($"  {Figure.Number(level.Writers, "writer")}: {rates}");
            }

            if (test.Ladder.Count > 0)
                writer.WriteLine($"  {QueueRung.Sentence(test.Ladder)}");
            foreach (var repeat in test.Repeats)
            {
                var rates = Rates(repeat.ShownWrittenPerSecond, repeat.ShownReadPerSecond, repeat.EndToEnd.Shown());
                var above = repeat.Number == test.Repeat ? "; the figures above" : "";
                writer.WriteLine(Invariant($"  #{repeat.Number}: {repeat.Verdict.ToString().ToUpperInvariant()}, {rates}{above}"));
            }

            writer.WriteLine(Invariant($"  lost {test.Lost:N0}, read twice {test.Duplicates:N0}"));
            foreach (var reason in test.Reasons)
                writer.WriteLine($"  {reason}");
            foreach (var warning in test.Warnings)
                writer.WriteLine($"  {warning}");
            writer.WriteLine($"  Limited by {test.LimitedBy}: {test.LimitEvidence}");
            writer.WriteLine($"{test.Verdict.ToString().ToUpperInvariant()}.");
        }
        else
            writer.WriteLine($"{run.Status.ToString().ToUpperInvariant()}: {run.StatusReason}");

        RunPlace.Write(writer, folder);
    }

    private static string Moved(string what, long messages, double? perSecond, double mebibytesPerSecond) =>
        Invariant($"{what} {messages:N0}") + (perSecond is null ? "" : Invariant($", {perSecond:N0}/s, {mebibytesPerSecond:N2} MiB/s"));

    private static void WriteLatency(TextWriter writer, string name, LatencySummary latency) =>
        writer.WriteLine(
            $"  {name}: {Percentiles(("p50", latency.P50Ms), ("p95", latency.P95Ms), ("p99", latency.P99Ms), ("max", latency.MaxMs))}"
                + Invariant($"{latency.Count:N0} samples")
        );

    private static string Rates(double? written, double? read, LatencySummary endToEnd) =>
        $"{Rate("written", written)}{Rate("read", read)}"
        + $"end to end {Percentiles(("p50", endToEnd.P50Ms), ("p99", endToEnd.P99Ms))}".TrimEnd(',', ' ');

    private static string Rate(string name, double? perSecond) => perSecond is null ? "" : Invariant($"{name} {perSecond:N0}/s, ");

    private static string Percentiles(params (string Name, double? Ms)[] latencies) =>
        string.Concat(latencies.Select(latency => LoadSummary.Percentile(latency.Name, latency.Ms)));
}

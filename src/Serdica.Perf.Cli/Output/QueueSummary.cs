using Serdica.Perf.Results;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Queues;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Cli.Output;

/// <summary>What is printed at the end of a queue test.</summary>
internal static class QueueSummary
{
    public static void Write(TextWriter writer, QueueTestResult? test, RunResult run, RunFolder folder)
    {
        foreach (var missing in run.NotMeasured)
            writer.WriteLine($"Not measured: {missing.Backend}: {missing.Reason}");
        if (test is not null)
        {
            writer.WriteLine(
                Invariant($"Written {test.Written:N0}, {test.WrittenPerSecond:N0}/s, {test.WrittenMebibytesPerSecond:N2} MiB/s; ")
                    + Invariant($"read {test.Read:N0}, {test.ReadPerSecond:N0}/s, {test.ReadMebibytesPerSecond:N2} MiB/s; ")
                    + Invariant($"{test.UnreadAtEnd:N0} unread when writing ended, at most {test.PeakUnread:N0}")
            );
            WriteLatency(writer, "write", test.Write);
            WriteLatency(writer, "read", test.ReadTime);
            WriteLatency(writer, "end to end", test.EndToEnd);
            foreach (var level in test.Ladder)
            {
                var rates = Rates(level.WrittenPerSecond, level.ReadPerSecond, level.EndToEnd);
                writer.WriteLine($"  {Figure.Number(level.Writers, "writer")}: {rates}");
            }

            if (test.Ladder.Count > 0)
                writer.WriteLine($"  {QueueRung.Sentence(test.Ladder)}");
            foreach (var repeat in test.Repeats)
            {
                var rates = Rates(repeat.WrittenPerSecond, repeat.ReadPerSecond, repeat.EndToEnd);
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

    private static void WriteLatency(TextWriter writer, string name, LatencySummary latency) =>
        writer.WriteLine(
            Invariant($"  {name}: p50 {latency.P50Ms:N2} ms, p95 {latency.P95Ms:N2} ms, p99 {latency.P99Ms:N2} ms, ")
                + Invariant($"max {latency.MaxMs:N2} ms, {latency.Count:N0} samples")
        );

    private static string Rates(double written, double read, LatencySummary endToEnd) =>
        Invariant($"written {written:N0}/s, read {read:N0}/s, end to end p50 {endToEnd.P50Ms:N2} ms, p99 {endToEnd.P99Ms:N2} ms");
}

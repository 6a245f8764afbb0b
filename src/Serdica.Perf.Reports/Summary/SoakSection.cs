namespace Serdica.Perf.Reports.Summary;

internal static class SoakSection
{
    private const int MostWaits = 3;

    public static void Write(TextWriter writer, ReportView view)
    {
        foreach (var soak in view.Typical.Where(scenario => scenario.Tier == Tiers.Soak))
        {
            var latency = ScenarioCells.Trusted(soak, soak.ResponseTime);
            var table = new MarkdownTable(
                textColumns: 0,
                "Throughput/s",
                "Avg ms",
                "P95 ms",
                "P99 ms",
                "Failures",
                "Dead letters",
                "Conflicts",
                "Stuck",
                "Commits",
                "Writing commits",
                "Rollbacks",
                "Logical reads",
                "WAL bytes",
                "DB CPU ms"
            );
            table.Row(
                ScenarioCells.Throughput(soak),
                Figure.Of(latency.AverageMs),
                Figure.Of(latency.P95Ms),
                Figure.Of(latency.P99Ms),
                Figure.Of(soak.Counts.Failed),
                Figure.Of(soak.Counts.DeadLettered),
                Figure.Of(soak.Counts.Conflicts),
                Figure.Of(soak.Counts.Stuck),
                Figure.Count(ScenarioCells.Database(soak, MetricNames.Commits)),
                Figure.Count(ScenarioCells.Database(soak, MetricNames.WritingCommits)),
                Figure.Count(ScenarioCells.Database(soak, MetricNames.Rollbacks)),
                Figure.Count(ScenarioCells.Database(soak, MetricNames.LogicalReads)),
                Figure.Count(ScenarioCells.Database(soak, MetricNames.WalBytes)),
                Figure.Of(ScenarioCells.Database(soak, MetricNames.DatabaseCpu))
            );
            writer.Section($"Soak: {view.Name(soak)}", Outcome(soak.Counts), table);
            WriteWaits(writer, soak.TopWaits);
        }
    }

    private static string Outcome(OperationCounts counts) =>
        counts is { Failed: 0, DeadLettered: 0, Conflicts: 0, Stuck: 0 }
            ? $"All zeros over {Figure.Of(counts.Started)} operations: no failure, dead letter, unresolved conflict or stuck instance."
            : $"NOT all zeros over {Figure.Of(counts.Started)} operations.";

    private static void WriteWaits(TextWriter writer, IReadOnlyList<ServerWait> waits)
    {
        if (waits.Count == 0)
            return;

        var table = new MarkdownTable(textColumns: 1, "Top waits", "Microseconds", "Samples");
        foreach (var wait in waits.Take(MostWaits))
            table.Row(ScenarioCells.Words(wait), Figure.Count(wait.Microseconds), Figure.Of(wait.Count));
        writer.Write("\n");
        table.Write(writer);
    }
}

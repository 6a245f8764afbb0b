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
            writer.Section($"Soak: {view.Name(soak)}", Outcome(view.Repeats(soak), soak.Counts.Started), table);
            if (soak.Status == ScenarioStatus.Passed)
                WriteWaits(writer, WaitCategories.Active(soak));
        }
    }

    private static string Outcome(IReadOnlyList<ScenarioResult> repeats, long started)
    {
        if (repeats.All(VerificationSection.IsClean))
            return $"All zeros over {Figure.Of(started)} operations: no failure, dead letter, unresolved conflict or stuck instance.";

        var reasons = repeats.SelectMany(repeat =>
            repeat.Status == ScenarioStatus.Passed ? [repeat.Unverified ?? ""] : repeat.FailureReasons
        );
        var zeros = repeats.Any(repeat =>
            repeat is { Status: ScenarioStatus.Passed, Unverified: null } && !VerificationSection.IsClean(repeat)
        )
            ? $"NOT all zeros over {Figure.Of(started)} operations, see Verification. "
            : "";
        var why = string.Join(" ", reasons.Distinct().Where(reason => reason.Length > 0));
        return $"Result: {ScenarioCells.Outcome(repeats)}. {zeros}{why}".TrimEnd();
    }

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

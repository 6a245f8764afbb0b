using Serdica.Perf.Reports.Markdown;
using Serdica.Perf.Reports.Text;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Reports.Summary;

internal static class CapacitySection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Rung", "Throughput/s", "P95 ms", "Commits", "Writing commits", "Logical reads", "WAL bytes", "DB CPU ms", "Engine CPU ms", "Top wait")
        {
            EndsWithText = true,
        };
        foreach (var rung in Rungs(view.Typical))
        {
            table.Row(
                $"{rung.Backend} c{rung.Parameters.Concurrency}", ScenarioCells.Throughput(rung), Figure.Of(ScenarioCells.Trusted(rung, rung.ResponseTime).P95Ms),
                Figure.Count(ScenarioCells.Database(rung, MetricNames.Commits)), Figure.Count(ScenarioCells.Database(rung, MetricNames.WritingCommits)),
                Figure.Count(ScenarioCells.Database(rung, MetricNames.LogicalReads)), Figure.Count(ScenarioCells.Database(rung, MetricNames.WalBytes)),
                Figure.Of(ScenarioCells.Database(rung, MetricNames.DatabaseCpu)),
                Figure.Of(rung.Status == ScenarioStatus.Passed ? rung.EngineMetrics.GetValueOrDefault(MetricNames.EngineCpu)?.Value : null),
                ScenarioCells.TopWait(rung));
        }

        writer.Section("Capacity ladder", "Batch waves: c1 is the lowest rung and not a latency figure. Totals of each rung." + Growth(view), table);
    }

    /// <summary>The rungs, from the lowest.</summary>
    public static IEnumerable<ScenarioResult> Rungs(IEnumerable<ScenarioResult> scenarios) =>
        scenarios.Where(scenario => scenario.Tier == Tiers.Capacity).OrderBy(rung => rung.Backend, StringComparer.Ordinal).ThenBy(rung => rung.Parameters.Concurrency);

    private static string Growth(ReportView view) => string.Concat(
        from ladder in Rungs(view.Passed).GroupBy(rung => rung.Backend)
        let first = ladder.First()
        let last = ladder.Last()
        where last != first
        select $" From c{first.Parameters.Concurrency} to c{last.Parameters.Concurrency} {ladder.Key} grows {Figure.Of(last.ThroughputPerSecond / first.ThroughputPerSecond)}-fold in throughput and {Figure.Of(last.ResponseTime.P95Ms / first.ResponseTime.P95Ms)}-fold in P95.");
}

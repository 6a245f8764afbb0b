namespace Serdica.Perf.Reports.Summary;

internal static class CapacitySection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Level",
            "Throughput/s",
            "P95 ms",
            "Commits",
            "Writing commits",
            "Logical reads",
            "WAL bytes",
            "DB time ms",
            "DB CPU ms",
            "Engine CPU ms",
            "Top wait"
        )
        {
            EndsWithText = true,
        };
        foreach (var level in Rungs(view.Typical))
        {
            table.Row([
                $"{level.Backend} c{level.Parameters.Concurrency}",
                ScenarioCells.Throughput(level),
                Figure.Of(ScenarioCells.Trusted(level, level.ResponseTime).P95Ms),
                .. ScenarioCells.Work(level),
                Figure.Of(ScenarioCells.DatabaseTimeMs(level) / level.Rounds),
                Figure.Of(ScenarioCells.Database(level, MetricNames.DatabaseCpu)),
                Figure.Of(
                    level.Status == ScenarioStatus.Passed
                        ? level.EngineMetrics.GetValueOrDefault(MetricNames.EngineCpu)?.Value / level.Rounds
                        : null
                ),
                ScenarioCells.TopWait(level),
            ]);
        }

        writer.Section(
            "Capacity ladder",
            (
                Rungs(view.Typical).Any(level => level.Parameters.Load == LoadModel.Wave)
                    ? "Batch waves: c1 is the lowest level and not a latency figure. Totals of one wave of each level."
                    : "Each caller waits for its own operation. Totals of one round of each level."
            ) + Growth(view),
            table
        );
    }

    /// <summary>The levels of all ladders, from the lowest.</summary>
    public static IEnumerable<ScenarioResult> Rungs(IEnumerable<ScenarioResult> scenarios) =>
        scenarios
            .Where(scenario => scenario.Tier == Tiers.Capacity)
            .OrderBy(level => level.Backend, StringComparer.Ordinal)
            .ThenBy(level => level.Parameters.Concurrency);

    private static string Growth(ReportView view) =>
        string.Concat(
            from ladder in Rungs(view.Passed).Where(level => level.ShownPerSecond is not null).GroupBy(level => level.Backend)
            let first = ladder.First()
            let last = ladder.Last()
            where last != first
            select $" From c{first.Parameters.Concurrency} to c{last.Parameters.Concurrency} {ladder.Key} grows "
                + $"{Figure.Of(last.ThroughputPerSecond / first.ThroughputPerSecond)}-fold in throughput and "
                + $"{Figure.Of(last.ResponseTime.P95Ms / first.ResponseTime.P95Ms)}-fold in P95."
        );
}

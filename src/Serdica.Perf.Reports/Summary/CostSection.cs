namespace Serdica.Perf.Reports.Summary;

/// <summary>What one completed operation costs database and engine.</summary>
internal static class CostSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Commits",
            "Writing commits",
            "Rollbacks",
            "Round trips",
            "WAL bytes",
            "WAL syncs",
            "Rows touched",
            "Logical reads",
            "DB CPU µs",
            "Engine CPU µs",
            "Allocated bytes"
        );
        foreach (var scenario in view.Passed.Where(scenario => scenario.CostPerOperation.Count > 0))
        {
            string Each(string metric) => Figure.Each(ScenarioCells.PerOperation(scenario, metric));
            table.Row(
                view.Name(scenario),
                Each(MetricNames.Commits),
                Each(MetricNames.WritingCommits),
                Each(MetricNames.Rollbacks),
                Each(MetricNames.RoundTrips),
                Each(MetricNames.WalBytes),
                Each(MetricNames.WalSyncs),
                Each(MetricNames.RowsTouched),
                Each(MetricNames.LogicalReads),
                Figure.Each(ScenarioCells.PerOperation(scenario, MetricNames.DatabaseCpu) * 1000),
                Figure.Each(ScenarioCells.PerOperation(scenario, MetricNames.EngineCpu) * 1000),
                Each(MetricNames.Allocated)
            );
        }

        writer.Section(
            "Cost per operation",
            "Costs of the database and of the measuring process (engine and load generator together), over window and drain. A dash or a "
                + "missing column is not available: `summary.json` says why.",
            table
        );
    }
}

namespace Serdica.Perf.Reports.Summary;

internal static class BusinessFlowSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Throughput/s",
            "Avg ms",
            "P95 ms",
            "Max ms",
            "Commits",
            "Writing commits",
            "Logical reads",
            "WAL bytes",
            "Top wait"
        )
        {
            EndsWithText = true,
        };
        foreach (var scenario in view.Typical.Where(scenario => scenario.Family == ScenarioFamilies.BusinessFlow))
        {
            var latency = ScenarioCells.Trusted(scenario, scenario.ResponseTime);
            table.Row([
                view.Name(scenario),
                ScenarioCells.Throughput(scenario),
                Figure.Of(latency.AverageMs),
                Figure.Of(latency.P95Ms),
                Figure.Of(latency.MaxMs),
                .. ScenarioCells.Work(scenario),
                ScenarioCells.TopWait(scenario),
            ]);
        }

        writer.Section("Business flows", "Our own approximations: no public source describes the steps of the originals.", table);
    }
}

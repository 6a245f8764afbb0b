namespace Serdica.Perf.Reports.Summary;

internal static class TransportSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Throughput/s",
            "Avg ms",
            "Lateness P50 ms",
            "Lateness P95 ms",
            "Lateness max ms",
            "Commits",
            "Writing commits",
            "Logical reads",
            "WAL bytes",
            "Top wait"
        )
        {
            EndsWithText = true,
        };
        foreach (var scenario in view.Typical.Where(scenario => scenario.Family == ScenarioFamilies.Transport))
        {
            var lateness = ScenarioCells.Trusted(scenario, scenario.Lateness);
            table.Row([
                view.Name(scenario),
                ScenarioCells.Throughput(scenario),
                Figure.Of(ScenarioCells.Trusted(scenario, scenario.ResponseTime).AverageMs),
                Figure.Of(lateness.P50Ms),
                Figure.Of(lateness.P95Ms),
                Figure.Of(lateness.MaxMs),
                .. ScenarioCells.Work(scenario),
                ScenarioCells.TopWait(scenario),
            ]);
        }

        writer.Section(
            "Transport baselines",
            "Signals alone: no instance is resumed. A delayed burst is judged by its lateness, because the delay limits its throughput.",
            table
        );
    }
}

namespace Serdica.Perf.Reports.Summary;

internal static class TimersSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Timers",
            "Lateness P50 ms",
            "Lateness P95 ms",
            "Lateness P99 ms",
            "Lateness max ms"
        );
        foreach (var scenario in view.Typical.Where(scenario => scenario.Family == ScenarioFamilies.Timers))
        {
            var lateness = ScenarioCells.Trusted(scenario, scenario.Lateness);
            table.Row(
                view.Name(scenario),
                Figure.Of(scenario.Operations),
                Figure.Of(lateness.P50Ms),
                Figure.Of(lateness.P95Ms),
                Figure.Of(lateness.P99Ms),
                Figure.Of(lateness.MaxMs)
            );
        }

        writer.Section(
            "Timers",
            "Lateness is the time from the due time of a timer to the write that completed its instance, both by the database's clock. "
                + "It does not include the commit of that write.",
            table
        );
    }
}

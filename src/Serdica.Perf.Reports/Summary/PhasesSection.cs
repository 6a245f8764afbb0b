namespace Serdica.Perf.Reports.Summary;

/// <summary>The phases of operations; a table each for the two scenarios that backends are compared by.</summary>
internal static class PhasesSection
{
    public static void WriteSerial(TextWriter writer, ReportView view) =>
        Write(writer, "Serial latency phases", view.Passed.Where(scenario => scenario.Tier == Tiers.Latency));

    public static void WriteThroughput(TextWriter writer, ReportView view) =>
        Write(writer, "Steady throughput phases", view.Passed.Where(scenario => scenario.Tier == Tiers.Throughput));

    public static void WriteOthers(TextWriter writer, ReportView view) =>
        Write(
            writer,
            "Phases of the other scenarios",
            view.Passed.Where(scenario => scenario.Tier is not (Tiers.Latency or Tiers.Throughput))
        );

    private static void Write(TextWriter writer, string heading, IEnumerable<ScenarioResult> scenarios)
    {
        var table = new MarkdownTable(textColumns: 2, "Scenario", "Phase", "Avg", "P50", "P95", "P99", "Max", "Count");
        foreach (var scenario in scenarios)
        {
            foreach (var (place, (phase, recorded)) in scenario.Phases.Index())
            {
                var latency = ScenarioCells.Trusted(scenario, recorded);
                table.Row(
                    place == 0 ? scenario.Name : "",
                    $"`{phase}`",
                    Figure.Of(latency.AverageMs),
                    Figure.Of(latency.P50Ms),
                    Figure.Of(latency.P95Ms),
                    Figure.Of(latency.P99Ms),
                    Figure.Of(latency.MaxMs),
                    Figure.Of(latency.Count)
                );
            }
        }

        writer.Section(heading, "Milliseconds, without the drain.", table);
    }
}

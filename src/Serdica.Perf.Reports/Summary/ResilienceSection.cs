namespace Serdica.Perf.Reports.Summary;

/// <summary>What scenarios that cause trouble on purpose had caused, and how fast they were at it.</summary>
internal static class ResilienceSection
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
            "Cancelled",
            "Dead letters",
            "Failed attempts"
        );
        foreach (var scenario in view.Typical.Where(scenario => scenario.Family == ScenarioFamilies.Resilience))
        {
            var latency = ScenarioCells.Trusted(scenario, scenario.ResponseTime);
            var intended = scenario.Intended ?? IntendedTrouble.None;
            table.Row(
                view.Name(scenario),
                ScenarioCells.Throughput(scenario),
                Figure.Of(latency.AverageMs),
                Figure.Of(latency.P95Ms),
                Figure.Of(latency.MaxMs),
                Figure.Of(intended.Cancelled),
                Figure.Of(intended.DeadLetters),
                Figure.Of(intended.HandlerFailures)
            );
        }

        writer.Section(
            "Resilience",
            "Cancelled instances, dead letters and failed attempts are caused on purpose by the scenario. It passes only if exactly the "
                + "expected number was found.",
            table
        );
    }
}

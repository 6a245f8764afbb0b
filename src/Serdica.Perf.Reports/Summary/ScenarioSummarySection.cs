namespace Serdica.Perf.Reports.Summary;

internal static class ScenarioSummarySection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario",
            "Tier",
            "Ops",
            "Conc",
            "Hosts",
            "Workers",
            "Duration ms",
            "Throughput/s",
            "Avg",
            "P50",
            "P90",
            "P95",
            "P99",
            "P99.9",
            "Max",
            "Count"
        );
        foreach (var scenario in view.Scenarios)
        {
            var parameters = scenario.Parameters;
            var latency = ScenarioCells.Trusted(scenario, scenario.ResponseTime);
            table.Row([
                view.Name(scenario),
                scenario.Tier,
                Figure.Of(scenario.Operations),
                Figure.Of(parameters.Concurrency),
                Hosts(parameters),
                Figure.Of(parameters.Workers),
                Figure.Of(scenario.Status == ScenarioStatus.Passed ? scenario.DurationMs : null),
                ScenarioCells.Throughput(scenario),
                .. ScenarioCells.Latencies(latency),
                Figure.Of(latency.Count),
            ]);
        }

        writer.Section(
            "Scenario summary",
            "Response time in milliseconds: from the intended start of each operation to its own completion."
                + (
                    view.Run.Repeats.Count > 0
                        ? " Later tables show the repeat with the median throughput, and the medians of the percentiles of all repeats."
                        : ""
                )
                + Way(view)
                + OneByOne(view),
            table
        );
    }

    /// <summary>A dash where the measuring process was the host.</summary>
    private static string Hosts(ScenarioParameters parameters) => parameters.Hosts > 0 ? Figure.Of((long)parameters.Hosts) : Figure.None;

    /// <summary>All scenarios of a run have the same setting; those of backends with one way for signals have none.</summary>
    private static string Way(ReportView view) =>
        view.Scenarios.Select(scenario => scenario.Parameters.Engine.GetValueOrDefault(ScenarioParameters.DirectSetting)).Max() switch
        {
            "on" => " Signals were decided in the commit that received them where nothing stored came first (`direct=on`).",
            "off" => " All signals went through the queue (`direct=off`).",
            _ => "",
        };

    private static string OneByOne(ReportView view)
    {
        var backends = view.Scenarios.Where(ScenarioCells.IsOneByOne).Select(scenario => scenario.Backend).Distinct().ToArray();
        return backends.Length == 0
            ? ""
            : $" Each start, signal and message on {string.Join(", ", backends)} had a transaction of its own " + "(`one-by-one=on`).";
    }
}

using Serdica.Perf.Reports.Markdown;
using Serdica.Perf.Reports.Text;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Reports.Summary;

internal static class ScenarioSummarySection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario", "Tier", "Ops", "Conc", "Workers", "Duration ms", "Throughput/s", "Avg", "P50", "P90", "P95", "P99", "P99.9", "Max", "Count");
        foreach (var scenario in view.Scenarios)
        {
            var parameters = scenario.Parameters;
            var latency = ScenarioCells.Trusted(scenario, scenario.ResponseTime);
            table.Row(
                view.Name(scenario), scenario.Tier, Figure.Of(scenario.Operations), Figure.Of(parameters.Concurrency), Figure.Of(parameters.Workers),
                Figure.Of(scenario.Status == ScenarioStatus.Passed ? scenario.DurationMs : null), ScenarioCells.Throughput(scenario),
                Figure.Of(latency.AverageMs), Figure.Of(latency.P50Ms), Figure.Of(latency.P90Ms), Figure.Of(latency.P95Ms),
                Figure.Of(latency.P99Ms), Figure.Of(latency.P99Point9Ms), Figure.Of(latency.MaxMs), Figure.Of(latency.Count));
        }

        writer.Section(
            "Scenario summary",
            "Response time in milliseconds: from the intended start of each operation to its own completion." +
            (view.Run.Repeats.Count > 0 ? " Later tables show the repeat with the median throughput, and the medians of the percentiles of all repeats." : ""),
            table);
    }
}

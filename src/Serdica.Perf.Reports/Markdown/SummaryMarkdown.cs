namespace Serdica.Perf.Reports.Markdown;

/// <summary>
/// <c>summary.md</c>: a run on one screen. The answers first, then one table; everything else is in <c>details.md</c>. Pure; line
/// feeds.
/// </summary>
internal static class SummaryMarkdown
{
    /// <summary>Rows of the table; the others are counted.</summary>
    private const int MostRows = 20;

    public static void Write(TextWriter writer, RunResult run, ReportDocument document)
    {
        PullRequestMarkdown.Write(writer, document);
        WriteScenarios(writer, new ReportView(run));
        writer.Write(
            $"\nThe rest: [{RunFolder.DetailsFile}]({RunFolder.DetailsFile}), [{RunFolder.PageFile}]({RunFolder.PageFile}). "
                + $"To repeat: `{run.Command}`\n"
        );
    }

    private static bool HasPassed(ScenarioResult scenario) => scenario.Status == ScenarioStatus.Passed;

    /// <summary>The steps of a load test have a table already.</summary>
    private static void WriteScenarios(TextWriter writer, ReportView view)
    {
        var scenarios = view.Typical.Where(scenario => scenario.Tier != Tiers.Load).ToArray();
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario",
            "Result",
            "Operations",
            "Throughput/s",
            "P50 ms",
            "P99 ms",
            "Max ms",
            "Warm-up s"
        );
        foreach (var scenario in scenarios.OrderBy(scenario => view.Repeats(scenario).All(HasPassed)).Take(MostRows))
        {
            var latency = ScenarioCells.Trusted(scenario, scenario.ResponseTime);
            table.Row(
                scenario.Name,
                ScenarioCells.Outcome(view.Repeats(scenario)),
                Figure.Of(scenario.Counts.Completed),
                Figure.Of(HasPassed(scenario) ? scenario.ShownPerSecond : null),
                Figure.Of(latency.P50Ms),
                Figure.Of(latency.P99Ms),
                Figure.Of(latency.MaxMs),
                Figure.Of(scenario.WarmUp?.DurationMs / 1_000)
            );
        }

        writer.Section(
            "Scenarios",
            "A figure is left out where too few operations were measured for it. The warm-up came before and is in no figure.",
            table
        );
        if (scenarios.Length > MostRows)
            writer.Write($"\n{Figure.Of(scenarios.Length - MostRows)} more in {RunFolder.DetailsFile}.\n");
    }
}

namespace Serdica.Perf.Reports.Markdown;

/// <summary>The answers of a report in a few lines of Markdown, for the comment of a pull request. Pure; line feeds.</summary>
internal static class PullRequestMarkdown
{
    /// <summary>What stands behind the answers; the whole is in the other forms of the report.</summary>
    private const int MostRows = 20;

    public static void Write(TextWriter writer, ReportDocument document)
    {
        var answers = document.Answers;
        writer.Write($"# {answers.Word}: workflow performance\n\n");
        foreach (var sentence in document.LeftOut)
            writer.Write($"**{sentence}**\n\n");
        writer.Write($"{answers.Outcome}\n\n{answers.Change}\n");
        if (document.Comparison is { } comparison && ComparisonText.DifferentConditions(comparison) is { } different)
            writer.Write($"\n> **{different}**\n");
        WriteSpeeds(writer, answers);
        WriteLimits(writer, answers);
        WriteLoadTests(writer, document.LoadTests);
        WriteFailures(writer, document.Scenarios);
        foreach (
            var (verdict, heading) in ((Verdict, string)[])
                [(Verdict.Regressed, "Slower or more expensive"), (Verdict.Improved, "Faster or cheaper")]
        )
            WriteChanges(writer, document.Comparison, verdict, heading);
        WriteNotMeasured(writer, document.Runs);
        WriteWarnings(writer, document.Runs);
        foreach (var run in document.Runs)
            writer.Write($"\n`{run.Name}`: {run.Source}, {run.Environment.Machine.MachineName}.\n");
    }

    private static void WriteSpeeds(TextWriter writer, ReportAnswers answers)
    {
        var table = new MarkdownTable(textColumns: 3, "Backend", "Scenario", "Load", "Throughput/s", "P50 ms", "P99 ms", "Alone, P50 ms");
        foreach (var speed in answers.Speeds)
            table.Row(
                speed.Label,
                speed.Scenario,
                speed.Load,
                Figure.Of(speed.PerSecond),
                Figure.Of(speed.P50Ms),
                Figure.Of(speed.P99Ms),
                Figure.Of(speed.SerialP50Ms)
            );
        writer.Section("How fast", "", table);
    }

    private static void WriteLimits(TextWriter writer, ReportAnswers answers)
    {
        if (answers.Limits.Count == 0)
            return;

        writer.Heading("What limits it");
        foreach (var limit in answers.Limits)
            writer.Write($"- **{limit.Label}: {limit.Limit}.** {limit.Evidence} ({limit.Scenario})\n");
    }

    private static void WriteLoadTests(TextWriter writer, IReadOnlyList<ReportLoadTest> tests)
    {
        foreach (var test in tests)
        {
            var table = new MarkdownTable(
                textColumns: 2,
                "Step",
                "Verdict",
                "Target/s",
                "Started/s",
                "Completed/s",
                "P50 ms",
                "P99 ms",
                "Failed",
                "Dropped"
            );
            foreach (var step in test.Steps.Take(MostRows))
                table.Row(
                    step.Name,
                    step.Verdict.ToString().ToLowerInvariant(),
                    Figure.Of(step.TargetPerSecond),
                    Figure.Of(step.StartedPerSecond),
                    Figure.Of(step.CompletedPerSecond),
                    Figure.Of(step.Response.P50Ms),
                    Figure.Of(step.Response.P99Ms),
                    Figure.Of(step.Failed),
                    Figure.Of(step.Dropped)
                );
            writer.Section($"Steps of {test.Name} on {test.Backend}", "", table);
            WriteRest(writer, test.Steps.Count);
        }
    }

    private static void WriteFailures(TextWriter writer, IReadOnlyList<ReportScenario> scenarios)
    {
        var failed = scenarios.Where(scenario => scenario.Status != ScenarioStatus.Passed && !scenario.DidNotHold).ToArray();
        if (failed.Length == 0)
            return;

        writer.Heading("Not passed");
        foreach (var scenario in failed.Take(MostRows))
            writer.Write($"- **{scenario.Name}**: {string.Join(" ", scenario.FailureReasons)}\n");
        WriteRest(writer, failed.Length);
    }

    private static void WriteChanges(TextWriter writer, RunComparison? comparison, Verdict verdict, string heading)
    {
        var changes = comparison?.With(verdict).OrderByDescending(change => Math.Abs(change.Metric.WorseBy ?? 0)).ToArray() ?? [];
        var table = new MarkdownTable(textColumns: 4, "Scenario", "Metric", "Change", "Evidence");
        foreach (var (scenario, metric) in changes.Take(MostRows))
            table.Row(scenario.Name, metric.Metric, ComparisonText.Change(metric), ComparisonText.Evidence(metric));
        writer.Section(heading, "", table);
        WriteRest(writer, changes.Length);
    }

    private static void WriteNotMeasured(TextWriter writer, IReadOnlyList<ReportRun> runs)
    {
        var missing = runs.SelectMany(run => run.NotMeasured).Distinct().ToArray();
        NotMeasuredSection.Write(writer, missing, MostRows);
        WriteRest(writer, missing.Length);
    }

    private static void WriteWarnings(TextWriter writer, IReadOnlyList<ReportRun> runs)
    {
        var kinds = runs.SelectMany(run => run.Warnings).GroupBy(warning => warning.Code).ToArray();
        if (kinds.Length == 0)
            return;

        writer.Heading("Warnings");
        foreach (var kind in kinds)
            writer.Write($"- **{kind.Key}**{(kind.Count() > 1 ? $" ({Figure.Of(kind.Count())} times)" : "")}: {kind.First().Sentence}\n");
    }

    private static void WriteRest(TextWriter writer, int count)
    {
        if (count > MostRows)
            writer.Write($"\n{Figure.Of(count - MostRows)} more in the whole report.\n");
    }
}

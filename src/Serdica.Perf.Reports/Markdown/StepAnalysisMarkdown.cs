using Serdica.Perf.Analysis.LoadTests;

namespace Serdica.Perf.Reports.Markdown;

/// <summary>What stood in the way of each step, ranked, and the database judged by itself: also of steps that passed.</summary>
internal static class StepAnalysisMarkdown
{
    /// <summary>Less than this stands in nobody's way.</summary>
    private const double SmallestShare = 0.01;

    public static void Write(TextWriter writer, LoadTestResult test, RunResult run)
    {
        var ranking = new MarkdownTable(textColumns: 2, "Step", "What", "Rank", "Share", "Evidence") { EndsWithText = true };
        var database = new MarkdownTable(textColumns: 2, "Step", "Verdict", "Vacuums", "Checkpoints", "Evidence") { EndsWithText = true };
        var isServer = run.Databases.Any(database => !database.IsInProcess);
        foreach (var step in test.Steps)
        {
            if (run.Scenarios.FirstOrDefault(step.IsOf) is not { } scenario)
                continue;
            var rank = 0;
            foreach (var (share, what, evidence) in Bottlenecks(run, scenario))
                ranking.Row(step.Name, what, Figure.Of(++rank), Figure.Share(share), evidence);
            if (isServer && LimitingLayer.Finding(run, scenario with { Saturation = step.Saturation }) is { } finding)
                database.Row(
                    step.Name,
                    Verdict(finding.Limit),
                    Count(scenario, MetricNames.Vacuums, MetricNames.Autovacuums),
                    Count(scenario, MetricNames.Checkpoints),
                    finding.Evidence
                );
        }

        writer.Section(
            "Bottlenecks by their share",
            "Processors: share of all cores of the machine. Garbage collection: share of the time in which engine and generator were "
                + "paused. All others: share of the time in which the engine's sessions in the database were not idle.",
            ranking
        );
        writer.Section(
            "The database by itself",
            "Vacuums (automatic or requested) and checkpoints that ended within the step. A step without any does not show how they "
                + "affect the load; a longer step does.",
            database
        );
    }

    private static IEnumerable<(double Share, string What, string Evidence)> Bottlenecks(RunResult run, ScenarioResult scenario)
    {
        var found = new List<(double Share, string What, string Evidence)>();

        // A failed step counts as passed here: resource use is valid even when the load was not sustained.
        if (ProcessorUse.Of(run.Environment, run.Databases, scenario with { Status = ScenarioStatus.Passed }) is { Machine: { } busy } use)
            found.Add(
                (
                    busy / use.MachineCores,
                    "processors",
                    $"{Figure.Of(busy)} of {use.MachineCores} cores: engine and generator {Figure.Of(use.Engine)}, database "
                        + $"{Figure.Of(use.Database)}, others {Figure.Of(use.Others)}"
                )
            );
        if (scenario.EngineMetrics.GetValueOrDefault(MetricNames.CollectionPause)?.Value is { } paused && scenario.DurationMs > 0)
            found.Add((paused / scenario.WatchedMs, "garbage collection", $"{Figure.Of(paused)} ms of pauses"));
        if (WaitProfile.Of(scenario) is { } waits)
        {
            var sessions = $"{Figure.Of(waits.ActiveSessions)} sessions at a time, {Figure.Of(waits.Count)} samples";
            found.AddRange(waits.Shares.Select(part => (part.Share, WaitCategories.Words(part.Category), sessions)));
        }

        return found.Where(part => part.Share >= SmallestShare).OrderByDescending(part => part.Share);
    }

    private static string Verdict(Limit limit) =>
        limit switch
        {
            Limit.LogFlush or Limit.Storage or Limit.Contention or Limit.Statements => $"at its limit: {LimitFinding.Words(limit)}",
            Limit.Processors => "at the limit of the machine that it shares",
            Limit.DatabaseProcessors => "at its limit: the processors that it may use",
            Limit.Others => "slowed down by other load on the machine",
            Limit.Schedule => "not at its limit",
            Limit.Callers => "had little to do",
            _ => "not known",
        };

    private static string Count(ScenarioResult scenario, params IReadOnlyList<string> metrics) =>
        Figure.Count(
            metrics
                .Select(name => scenario.DatabaseMetrics.GetValueOrDefault(name)?.Value)
                .Aggregate((double?)0, (sum, value) => sum + value)
        );
}

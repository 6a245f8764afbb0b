using Serdica.Perf.Measurement.Analysis;
using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports;

/// <summary>What stood in the way of each step, ranked, and the database judged by itself: also of steps that passed.</summary>
internal static class StepAnalysisMarkdown
{
    /// <summary>Less than this stands in nobody's way.</summary>
    private const double SmallestShare = 0.01;

    public static void Write(TextWriter writer, LoadTestResult test, RunResult run)
    {
        var ranking = new MarkdownTable(textColumns: 2, "Step", "What", "Rank", "Share", "Evidence") { EndsWithText = true };
        var database = new MarkdownTable(textColumns: 2, "Step", "Verdict", "Vacuums", "Checkpoints", "Evidence") { EndsWithText = true };
        var servers = run.Databases.Where(server => !server.IsInProcess).ToArray();
        foreach (var step in test.Steps)
        {
            // The analysis trusts only what passed; here failed steps are of interest as well, and so are their limits.
            if (run.Scenarios.FirstOrDefault(scenario => scenario.Name == step.Scenario) is not { } measured)
                continue;
            var scenario = measured with { Status = ScenarioStatus.Passed };
            var rank = 0;
            foreach (var (share, what, evidence) in Bottlenecks(run, scenario))
                ranking.Row(step.Name, what, Figure.Of(++rank), Figure.Share(share), evidence);
            if (LimitAnalysis.Of(run with { Databases = servers, Scenarios = [scenario] }).SingleOrDefault() is { } finding && servers.Length > 0)
                database.Row(step.Name, Verdict(finding.Limit), Count(scenario, MetricNames.Vacuums, MetricNames.Autovacuums), Count(scenario, MetricNames.Checkpoints), finding.Evidence);
        }

        writer.Section(
            "Bottlenecks by their share",
            "The processors: of all cores of the machine. All else: of the time in which sessions of the engine in the database were not idle.",
            ranking);
        writer.Section(
            "The database by itself",
            "Vacuums (of the server's own accord or asked for) and checkpoints ended within the step. A step without any says nothing of how the load fares beside one; a longer step does.",
            database);
    }

    private static IEnumerable<(double Share, string What, string Evidence)> Bottlenecks(RunResult run, ScenarioResult scenario)
    {
        var found = new List<(double Share, string What, string Evidence)>();
        if (ProcessorUse.Of(run.Environment, run.Databases, scenario) is { Machine: { } busy } use)
            found.Add((busy / use.MachineCores, "processors", $"{Figure.Of(busy)} of {use.MachineCores} cores: engine and generator {Figure.Of(use.Engine)}, database {Figure.Of(use.Database)}, others {Figure.Of(use.Others)}"));
        if (WaitProfile.Of(scenario) is { } waits)
        {
            var sessions = $"{Figure.Of(waits.ActiveSessions)} sessions at a time, {Figure.Of(waits.Count)} samples";
            found.AddRange(waits.Shares.Select(part => (part.Share, WaitCategories.Words(part.Category), sessions)));
        }

        return found.Where(part => part.Share >= SmallestShare).OrderByDescending(part => part.Share);
    }

    private static string Verdict(Limit limit) => limit switch
    {
        Limit.LogFlush or Limit.Storage or Limit.Contention or Limit.Statements => $"at its limit: {LimitFinding.Words(limit)}",
        Limit.Processors => "at the limit of the machine that it shares",
        Limit.Others => "held up by other load on the machine",
        Limit.Callers => "had little to do",
        Limit.Harness => "had room: the generator was the limit",
        _ => "not known",
    };

    private static string Count(ScenarioResult scenario, params IReadOnlyList<string> metrics) =>
        Figure.Count(metrics.Select(name => scenario.DatabaseMetrics.GetValueOrDefault(name)?.Value).Aggregate((double?)0, (sum, value) => sum + value));
}

using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports.Sections;

/// <summary>What was counted in the database after each scenario, of every measurement.</summary>
internal static class VerificationSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario", "Outcome", "Checks held", "Started", "Completed", "Failed", "Running", "Dead letters", "Conflicts", "Stuck", "Signals left", "Redeliveries");
        foreach (var scenario in view.Run.Scenarios)
        {
            var counts = scenario.Counts;
            table.Row(
                view.Name(scenario), ScenarioCells.Outcome(scenario), $"{Figure.Of(scenario.Verification.Count(check => check.Passed))} of {Figure.Of(scenario.Verification.Count)}",
                Figure.Of(counts.Started), Figure.Of(counts.Completed), Figure.Of(counts.Failed), Figure.Of(counts.Running), Figure.Of(counts.DeadLettered),
                Figure.Of(counts.Conflicts), Figure.Of(counts.Stuck), Figure.Of(counts.SignalsLeft), Figure.Of(counts.Redeliveries));
        }

        writer.Section("Verification", "Counted in the database after each scenario.", table);
        foreach (var scenario in view.Run.Scenarios.Where(scenario => scenario.Status != ScenarioStatus.Passed || scenario.Verification.Any(check => !check.Passed)))
        {
            writer.Write($"\n**{view.Name(scenario)}**\n\n");
            foreach (var reason in scenario.FailureReasons)
                writer.Write($"- {reason}\n");
            foreach (var check in scenario.Verification.Where(check => !check.Passed))
                writer.Write($"- {check.Check}: expected {check.Expected}, found {check.Actual}\n");
        }
    }
}

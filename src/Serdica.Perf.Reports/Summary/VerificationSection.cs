namespace Serdica.Perf.Reports.Summary;

/// <summary>What was counted in the database after each scenario: what is not as it should be, or that all is.</summary>
internal static class VerificationSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario",
            "Outcome",
            "Checks held",
            "Started",
            "Completed",
            "Failed",
            "Running",
            "Dead letters",
            "Conflicts",
            "Stuck",
            "Signals left",
            "Redeliveries"
        );
        foreach (var scenario in view.Run.Scenarios.Where(scenario => !IsClean(scenario)))
        {
            var counts = scenario.Counts;
            table.Row(
                view.Name(scenario),
                ScenarioCells.Outcome(scenario),
                $"{Figure.Of(scenario.Verification.Count(check => check.Passed))} of {Figure.Of(scenario.Verification.Count)}",
                Figure.Of(counts.Started),
                Figure.Of(counts.Completed),
                Figure.Of(counts.Failed),
                Figure.Of(counts.Running),
                Figure.Of(counts.DeadLettered),
                Figure.Of(counts.Conflicts),
                Figure.Of(counts.Stuck),
                Figure.Of(counts.SignalsLeft),
                Figure.Of(counts.Redeliveries)
            );
        }

        if (view.Run.Scenarios.Count > 0)
        {
            writer.Heading("Verification");
            writer.Write(Sentence(view.Run.Scenarios) + "\n");
        }

        if (!table.IsEmpty)
        {
            writer.Write("\n");
            table.Write(writer);
        }

        WriteReasons(writer, view);
        ErrorsTable.Write(writer, "Scenario", view.Run.Scenarios.Select(scenario => (view.Name(scenario), scenario.Errors)));
    }

    /// <summary>Why measurements did not pass.</summary>
    public static void WriteReasons(TextWriter writer, ReportView view)
    {
        foreach (
            var scenario in view.Run.Scenarios.Where(scenario =>
                scenario.Status != ScenarioStatus.Passed || scenario.Verification.Any(check => !check.Passed)
            )
        )
        {
            writer.Write($"\n**{view.Name(scenario)}**\n\n");
            foreach (var reason in scenario.FailureReasons)
                writer.Write($"- {reason}\n");
            foreach (var check in scenario.Verification.Where(check => !check.Passed))
                writer.Write($"- {check.Check}: expected {check.Expected}, found {check.Actual}\n");
        }
    }

    private static string Sentence(IReadOnlyList<ScenarioResult> scenarios)
    {
        var clean = scenarios.Where(IsClean).ToArray();
        return $"In {Figure.Of(clean.Length)} of {Figure.Of(scenarios.Count)} measurements everything was correct"
            + (
                clean.Length == 0
                    ? "."
                    : $": {Figure.Number(clean.Sum(scenario => scenario.Counts.Started), "operation")} started and completed, "
                        + $"{Figure.Number(clean.Sum(scenario => scenario.Verification.Count), "check")} of the database held, and no "
                        + "failure, dead letter, conflict, redelivery, stuck instance or leftover signal was found."
            );
    }

    public static bool IsClean(ScenarioResult scenario) =>
        scenario is { Status: ScenarioStatus.Passed, Unverified: null }
        && scenario.Verification.All(check => check.Passed)
        && scenario.Counts is { Failed: 0, Running: 0, DeadLettered: 0, Conflicts: 0, Stuck: 0, SignalsLeft: 0, Redeliveries: 0 };
}

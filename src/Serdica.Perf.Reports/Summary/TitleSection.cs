namespace Serdica.Perf.Reports.Summary;

/// <summary>The first lines: how it ended.</summary>
internal static class TitleSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var run = view.Run;
        writer.Write(
            run.Publication is { } publication
                ? $"# {publication.Name}\n\n"
                : $"# {Outcome(run.Status)}: workflow performance {run.RunId}\n\n"
        );
        if (run.StatusReason is { } reason)
            writer.Write($"{reason}\n\n");
        writer.Write($"{Count(run.Scenarios)}, on {run.Environment.Machine.MachineName}.\n");
        if (run.Publication is { LeftOut.Count: > 0 } published)
        {
            writer.Write("\nLeft out of this baseline:\n\n");
            foreach (var sentence in published.LeftOut)
                writer.Write($"- {sentence}\n");
        }

        if (run.Publication is { Histograms.Count: > 0 } withRawData)
            writer.Write(
                $"\nThe raw data are in `{withRawData.Name}.json.gz`; `serdica-perf baseline check` recomputes the figures from them.\n"
            );
    }

    /// <summary>Trials of a search do not fail a run: their rate held or did not hold.</summary>
    private static string Count(IReadOnlyList<ScenarioResult> scenarios)
    {
        var passed = Figure.Of(scenarios.Count(scenario => scenario.Status == ScenarioStatus.Passed));
        return scenarios.Any(scenario => scenario.IsTrial)
            ? $"{passed} of {Figure.Of(scenarios.Count)} trials held"
            : $"{passed} of {Figure.Of(scenarios.Count)} measurements passed";
    }

    internal static string Outcome(RunStatus status) =>
        status switch
        {
            RunStatus.Passed => "Passed",
            RunStatus.Failed => "FAILED",
            _ => "ABORTED",
        };
}

using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports.Sections;

/// <summary>The first lines: how it ended.</summary>
internal static class TitleSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var run = view.Run;
        writer.Write(run.Publication is { } publication
            ? $"# {publication.Name}\n\n"
            : $"# {Outcome(run.Status)}: workflow performance {run.RunId}\n\n");
        if (run.StatusReason is { } reason)
            writer.Write($"{reason}\n\n");
        writer.Write(
            $"{Figure.Of(run.Scenarios.Count(scenario => scenario.Status == ScenarioStatus.Passed))} of {Figure.Of(run.Scenarios.Count)} measurements passed, " +
            $"on {run.Environment.Machine.MachineName}.\n");
        if (run.Publication is { LeftOut.Count: > 0 } published)
        {
            writer.Write("\nLeft out of what was measured:\n\n");
            foreach (var sentence in published.LeftOut)
                writer.Write($"- {sentence}\n");
        }
    }

    private static string Outcome(RunStatus status) => status switch
    {
        RunStatus.Passed => "Passed",
        RunStatus.Failed => "FAILED",
        _ => "ABORTED",
    };
}

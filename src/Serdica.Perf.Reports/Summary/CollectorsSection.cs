namespace Serdica.Perf.Reports.Summary;

/// <summary>What it cost to know all this.</summary>
internal static class CollectorsSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Samples",
            "Skipped",
            "Failed",
            "Time ms",
            "Share of window",
            "Processor ms",
            "Share of processors"
        );
        foreach (var scenario in view.Passed)
        {
            if (scenario.Collectors is { } cost)
                table.Row(
                    view.Name(scenario),
                    Figure.Of((long)cost.Samples),
                    Figure.Of((long)cost.Skipped),
                    Figure.Of((long)cost.Failed),
                    Figure.Of(cost.TimeMs),
                    Figure.Share(cost.ShareOfWindow),
                    Figure.Of(cost.CpuMs),
                    Figure.Share(cost.ShareOfProcessors)
                );
        }

        writer.Section(
            "What the collectors cost",
            "The time that reading the figures of server, process and machine took, including waits for a processor and for the server; "
                + "and the processor time of the thread that samples waits and of the sessions that read the statistics.",
            table
        );
    }
}

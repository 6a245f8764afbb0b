namespace Serdica.Perf.Reports.Summary;

/// <summary>The part of the Markdown report that says how throughput grows with callers, and where it stops.</summary>
internal static class LadderSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var ladders = view.Run.Ladders;
        if (ladders.Count == 0)
            return;

        writer.Heading("Capacity ladder: growth, knee and scalability law");
        writer.Write(
            $"Growth and P95 ratio compare with the level in the line above. The knee is the first level where throughput grows by less "
                + $"than {CapacityLadder.LeastGrowth * 100:0} % "
                + $"while p95 is {CapacityLadder.KneeLatency:0} times that of the last level that grew.\n"
        );
        foreach (var ladder in ladders)
            Write(writer, ladder);
    }

    private static void Write(TextWriter writer, CapacityLadder ladder)
    {
        writer.Write($"\n### {ladder.Backend}, {ladder.Load.ToString().ToLowerInvariant()} load\n\n");
        var table = new MarkdownTable(
            textColumns: 1,
            "Level",
            "Throughput/s",
            "Growth",
            "P95 ms",
            "P95 ratio",
            "Law's throughput/s",
            "Verdict"
        );
        foreach (var level in ladder.Rungs)
        {
            table.Row(
                $"c{level.Concurrency}",
                Figure.Of(level.ThroughputPerSecond),
                level.Growth is { } growth ? Figure.Percent(growth * 100) : Figure.None,
                Figure.Of(level.P95Ms),
                Figure.Of(level.P95Ratio),
                Figure.Of(ladder.Fit?.ThroughputAt(level.Concurrency)),
                LadderText.Words(level.Verdict)
            );
        }

        table.Write(writer);
        writer.Write($"\nSizing note: {LadderText.SizingNote(ladder)}\n\n");
        writer.Write($"Universal Scalability Law: {LadderText.Fit(ladder)}\n");
        if (ladder.Load == LoadModel.Wave)
            writer.Write(
                "\nA wave has all its operations in flight at once, 16 for each caller unless asked otherwise: N counts callers, and p95 "
                    + "includes the wait within the wave. Measure with `--load closed` for the law of callers that wait.\n"
            );
    }
}

using Serdica.Perf.Analysis.Soak;

namespace Serdica.Perf.Reports.Summary;

/// <summary>The part of the Markdown report that says how a soak went on, interval by interval.</summary>
internal static class LongSoakSection
{
    private const double Mebibyte = 1 << 20;

    public static void Write(TextWriter writer, ReportView view)
    {
        var soaks = view.Run.Scenarios.Where(scenario => scenario is { Status: ScenarioStatus.Passed, Soak: not null }).ToArray();
        if (soaks.Length == 0)
            return;

        writer.Heading("Soak: intervals and trends");
        writer.Write(
            "P99 is of the response time, which counts from the intended start of each arrival; gauges are means of the interval. Slopes "
                + "are per minute.\n"
        );
        foreach (var scenario in soaks)
            Write(writer, scenario, scenario.Soak!);
    }

    private static void Write(TextWriter writer, ScenarioResult scenario, SoakResult soak)
    {
        writer.Write($"\n### {scenario.Name}{(scenario.Parameters.Repeat > 1 ? $" #{scenario.Parameters.Repeat}" : "")}\n\n");
        writer.Write($"{SoakText.Load(scenario)}\n\n");
        WriteIntervals(writer, soak);
        writer.Write('\n');
        WriteTrends(writer, soak);
    }

    private static void WriteIntervals(TextWriter writer, SoakResult soak)
    {
        var gauges = soak.Series.Where(series => soak.Intervals.Any(interval => interval.Gauges.ContainsKey(series.Name))).ToArray();
        var table = new MarkdownTable(
            textColumns: 0,
            [
                "From s",
                "Length s",
                "Completed",
                "Throughput/s",
                "P99 ms",
                .. gauges.Select(gauge => gauge.Unit == "bytes" ? $"`{gauge.Name}` MiB" : $"`{gauge.Name}`"),
            ]
        );
        foreach (var interval in soak.Intervals)
        {
            table.Row([
                Figure.Of(interval.OffsetSeconds),
                Figure.Of(interval.LengthSeconds),
                Figure.Of(interval.Completed),
                Figure.Of(interval.PerSecond),
                Figure.Of(interval.P99Ms),
                .. gauges.Select(gauge =>
                    interval.Gauges.TryGetValue(gauge.Name, out var value)
                        ? Figure.Of(gauge.Unit == "bytes" ? value / Mebibyte : value)
                        : Figure.None
                ),
            ]);
        }

        table.Write(writer);
    }

    private static void WriteTrends(TextWriter writer, SoakResult soak)
    {
        var table = new MarkdownTable(textColumns: 3, "Figure", "Trend", "Finding");
        foreach (var series in soak.Series)
            table.Row($"`{series.Name}`", SoakText.Trend(series), series.IsFinding ? "yes" : "no");
        table.Write(writer);
    }
}

namespace Serdica.Perf.Reports.Summary;

internal static class RepeatsSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Passed",
            "Throughput/s median",
            "Min",
            "Max",
            "Spread",
            "P50 ms median",
            "P95 ms median",
            "P99 ms median",
            "P99 ms highest"
        );
        foreach (var repeat in view.Run.Repeats)
        {
            var throughput = repeat.ThroughputPerSecond;
            table.Row(
                repeat.Name,
                $"{Figure.Of(repeat.Passed)} of {Figure.Of(repeat.Repeats)}",
                Figure.Of(throughput?.Median),
                Figure.Of(throughput?.Min),
                Figure.Of(throughput?.Max),
                Figure.Share(throughput?.Relative),
                Figure.Of(repeat.P50Ms?.Median),
                Figure.Of(repeat.P95Ms?.Median),
                Figure.Of(repeat.P99Ms?.Median),
                Figure.Of(repeat.P99Ms?.Max)
            );
        }

        writer.Section("Repeats", "Spread is the difference between the fastest and the slowest repeat, relative to the median.", table);
    }
}

namespace Serdica.Perf.Reports.Markdown;

/// <summary>Trends as Markdown: the change points, newest first, then every series. Pure.</summary>
internal static class TrendMarkdown
{
    public static void Write(TextWriter writer, IReadOnlyList<TrendSeries> trends)
    {
        writer.Write("# Trend\n");
        writer.Heading("Change points");
        var changes = trends
            .SelectMany(series => series.ChangePoints.Select(change => (Series: series, Change: change)))
            .OrderByDescending(found => found.Series.Points[found.Change.Index].At)
            .ToArray();
        if (changes.Length == 0)
            writer.Write("None.\n");
        foreach (var (series, change) in changes)
            writer.Write($"- {series.Name} {series.Metric}: {TrendText.Change(series, change)}\n");

        var table = new MarkdownTable(textColumns: 2, "Scenario", "Metric", "Points", "First", "Last", "Changes", "Course")
        {
            EndsWithText = true,
        };
        foreach (var series in trends)
        {
            table.Row(
                series.Name,
                series.Points[0].Unit is { } unit ? $"{series.Metric}, {unit}" : series.Metric,
                Figure.Of(series.Points.Count),
                TrendText.Value(series.Points[0].Value),
                TrendText.Value(series.Points[^1].Value),
                Figure.Of(series.ChangePoints.Count),
                TrendText.Course(series)
            );
        }

        writer.Section("Series", $"A point is a commit; a change needs {ChangePointSearch.FewestPoints} points on each side.", table);
    }
}

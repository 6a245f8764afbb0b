namespace Serdica.Perf.Cli.Output;

/// <summary>Trends on a screen: a line for each series, then the change points.</summary>
internal static class TrendSummary
{
    public static void Write(TextWriter writer, IReadOnlyList<TrendSeries> trends)
    {
        var table = new Table()
            .Border(TableBorder.Simple)
            .AddColumns("Scenario", "Metric")
            .AddNumbers("Points", "First", "Last", "Changes")
            .AddColumn(new TableColumn("Course").NoWrap());
        foreach (var series in trends)
        {
            table.AddRow(
                Markup.Escape(series.Name),
                Markup.Escape(series.Metric),
                Count(series.Points.Count),
                TrendText.Value(series.Points[0].Value),
                TrendText.Value(series.Points[^1].Value),
                Count(series.ChangePoints.Count),
                TrendText.Course(series)
            );
        }

        Consoles.For(writer).Write(table);
        foreach (var series in trends)
        {
            foreach (var change in series.ChangePoints)
                writer.WriteLine($"{series.Name} {series.Metric}: {TrendText.Change(series, change)}");
        }

        if (trends.All(series => series.ChangePoints.Count == 0))
            writer.WriteLine("No change point.");
    }

    private static string Count(int count) => count.ToString(CultureInfo.InvariantCulture);
}

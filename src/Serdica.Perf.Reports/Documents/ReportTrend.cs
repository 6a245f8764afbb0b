namespace Serdica.Perf.Reports.Documents;

/// <summary>One figure over many commits.</summary>
/// <param name="Unit">For instance <c>op/s</c>; null for a plain count.</param>
/// <param name="Points">In order of time.</param>
/// <param name="ChangePoints">Indexes of the points from which on the level is another.</param>
internal sealed record ReportTrend(string Name, string? Unit, IReadOnlyList<ReportTrendPoint> Points, IReadOnlyList<int> ChangePoints)
{
    public static ReportTrend Of(TrendSeries series)
    {
        return new(
            $"{series.Name} {series.Metric}",
            series.Points[0].Unit,
            [.. series.Points.Select(point => new ReportTrendPoint(point.Commit, point.At, point.Value))],
            [.. series.ChangePoints.Select(change => change.Index)]
        );
    }
}

/// <summary>One point of a <see cref="ReportTrend"/>.</summary>
internal sealed record ReportTrendPoint(string Commit, DateTimeOffset At, double Value);

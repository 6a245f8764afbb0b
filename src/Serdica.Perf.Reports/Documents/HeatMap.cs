namespace Serdica.Perf.Reports.Documents;

/// <summary>Latencies by interval as columns and rows.</summary>
internal static class HeatMap
{
    /// <summary>More columns would be too narrow to distinguish on a page.</summary>
    private const int MostColumns = 120;

    private const double Millisecond = 1e6;

    /// <summary>Null when nothing completed.</summary>
    public static ReportHeatMap? Of(IntervalHistograms intervals)
    {
        var together = (intervals.Intervals.Count + MostColumns - 1) / MostColumns;
        var cells = intervals
            .Intervals.SelectMany(
                (interval, index) =>
                    interval.Indexes.Zip(interval.Counts, (bucket, count) => (Column: index / together, Bucket: bucket, Count: count))
            )
            .GroupBy(cell => (cell.Column, cell.Bucket), cell => cell.Count)
            .Select(cell => (cell.Key.Column, cell.Key.Bucket, Count: cell.Sum()))
            .OrderBy(cell => cell.Column)
            .ThenBy(cell => cell.Bucket)
            .ToArray();
        if (cells.Length == 0)
            return null;

        var (lowest, highest) = (cells.Min(cell => cell.Bucket), cells.Max(cell => cell.Bucket));
        return new(
            Significant.Of(intervals.IntervalMs * together / 1000),
            (intervals.Intervals.Count + together - 1) / together,
            [
                .. Enumerable
                    .Range(lowest, highest - lowest + 1)
                    .Select(bucket => Significant.Of((IntervalHistograms.Bounds(bucket).High + 1) / Millisecond)),
            ],
            [.. cells.Select(cell => (IReadOnlyList<long>)[cell.Column, cell.Bucket - lowest, cell.Count])]
        );
    }
}

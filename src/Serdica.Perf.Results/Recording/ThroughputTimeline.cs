namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Completions and their latencies over the measured window. Thread-safe. Memory is bounded for any length of run: intervals start
/// at 31.25 ms and double whenever there would be more than 600, so they are at most one second long during the first ten minutes.
/// </summary>
internal sealed class ThroughputTimeline
{
    /// <summary>With fewer intervals, tenths of a window are not meaningful.</summary>
    internal const int FewestIntervals = 20;

    private static readonly double OneSecondNanoseconds = 1e9;

    private readonly Stripes<IntervalSeries> _stripes = new();

    /// <summary>Records one completion. Only the first in an interval allocates.</summary>
    /// <param name="offset">The completion, as time since the start of the measured window; a negative time counts as zero.</param>
    public void Record(TimeSpan offset, TimeSpan latency)
    {
        var stripe = _stripes.Current;
        lock (stripe.Lock)
            stripe.Recorder.Record(Nanoseconds(offset), Nanoseconds(latency));
    }

    /// <summary>
    /// Allocates all memory now. Otherwise memory grows interval by interval, which looks like a leak when the memory of this
    /// process is watched.
    /// </summary>
    public void Reserve() => _stripes.ForEach(series => series.Reserve());

    /// <summary>
    /// The timeline of a window of length <paramref name="window"/>. Intervals last one second; less when the window would have
    /// fewer than 20 of them, and more when it lasted longer than ten minutes. Completions after the window are not included.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The window is not positive.</exception>
    public Timeline Snapshot(TimeSpan window)
    {
        var series = Merge(window);
        var end = Nanoseconds(window);
        var intervals = new List<TimelineInterval>();
        for (var begin = 0L; begin < end; begin += series.IntervalNanoseconds)
        {
            var interval = series[(int)(begin / series.IntervalNanoseconds)];
            var seconds = Math.Min(series.IntervalNanoseconds, end - begin) / OneSecondNanoseconds;
            intervals.Add(new(begin / 1e6, interval?.Count ?? 0, (interval?.Count ?? 0) / seconds, interval?.P99Nanoseconds / 1e6));
        }

        return new()
        {
            IntervalMs = series.IntervalNanoseconds / 1e6,
            Intervals = intervals,
            TailRatio = TailRatio(intervals, window.TotalMilliseconds),
            WorstP99Ms = intervals.Max(interval => interval.P99Ms),
        };
    }

    /// <summary>All latencies, in the intervals of <see cref="Snapshot"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The window is not positive.</exception>
    public IntervalHistograms Histograms(TimeSpan window)
    {
        var series = Merge(window);
        var count = (int)((Nanoseconds(window) + series.IntervalNanoseconds - 1) / series.IntervalNanoseconds);
        return new()
        {
            IntervalMs = series.IntervalNanoseconds / 1e6,
            Intervals = [.. Enumerable.Range(0, count).Select(index => series[index]?.Coarse() ?? IntervalBuckets.Empty)],
        };
    }

    /// <summary>
    /// The rate in the last tenth of the window over the rate in the first. Completions are treated as evenly spread within an
    /// interval. Null when there are fewer than 20 intervals, or nothing completed in the first tenth.
    /// </summary>
    public static double? TailRatio(IReadOnlyList<TimelineInterval> intervals, double windowMs)
    {
        if (intervals.Count < FewestIntervals)
            return null;

        var first = CompletedWithin(intervals, windowMs, 0, windowMs / 10);
        var last = CompletedWithin(intervals, windowMs, windowMs * 9 / 10, windowMs);
        return first > 0 ? last / first : null;
    }

    private IntervalSeries Merge(TimeSpan window)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(window, TimeSpan.Zero);
        var series = new IntervalSeries();
        _stripes.ForEach(series.Merge);
        while (
            series.IntervalNanoseconds * 2 <= OneSecondNanoseconds
            && Nanoseconds(window) / (series.IntervalNanoseconds * 2) >= FewestIntervals
        )
            series.Coarsen();
        return series;
    }

    private static double CompletedWithin(IReadOnlyList<TimelineInterval> intervals, double windowMs, double fromMs, double toMs)
    {
        var completed = 0.0;
        for (var index = 0; index < intervals.Count; index++)
        {
            var begin = intervals[index].OffsetMs;
            var end = index + 1 < intervals.Count ? intervals[index + 1].OffsetMs : windowMs;
            var overlap = Math.Min(end, toMs) - Math.Max(begin, fromMs);
            if (overlap > 0)
                completed += intervals[index].Count * overlap / (end - begin);
        }

        return completed;
    }

    private static long Nanoseconds(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;
}

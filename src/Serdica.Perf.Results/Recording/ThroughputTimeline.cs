namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Completions and their latencies over the measured window, for any number of threads and any length of run in bounded
/// memory: it begins with intervals of 31.25 ms and doubles them whenever there would be more than 600, so that intervals
/// stay at or below one second for the first ten minutes.
/// </summary>
public sealed class ThroughputTimeline
{
    /// <summary>Below this many intervals the tenths of a window say nothing.</summary>
    private const int FewestIntervals = 20;

    private static readonly double OneSecondNanoseconds = 1e9;

    private readonly Stripes<IntervalSeries> _stripes = new();

    /// <summary>Records one completion without allocation, but for the first in an interval.</summary>
    /// <param name="offset">When it completed, from the begin of the measured window; a negative one counts as zero.</param>
    /// <param name="latency">How long it took.</param>
    public void Record(TimeSpan offset, TimeSpan latency)
    {
        var stripe = _stripes.Current;
        lock (stripe.Lock)
            stripe.Recorder.Record(Nanoseconds(offset), Nanoseconds(latency));
    }

    /// <summary>
    /// Takes all its memory now. Otherwise it takes it interval by interval, which in a watch over the memory of this process
    /// looks like a leak.
    /// </summary>
    public void Reserve() => _stripes.ForEach(series => series.Reserve());

    /// <summary>
    /// The timeline of a window that lasted <paramref name="window"/>: intervals of one second, or finer when the window
    /// would have fewer than 20 of them, or longer when it lasted more than ten minutes. Completions after the window
    /// are not in it.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The window is not longer than zero.</exception>
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

    /// <summary>All latencies by the same intervals as those of <see cref="Snapshot"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The window is not longer than zero.</exception>
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
    /// Rate of the last tenth of the window over that of the first. Within an interval completions are taken as even.
    /// Null when there are fewer than 20 intervals, or nothing completed in the first tenth.
    /// </summary>
    public static double? TailRatio(IReadOnlyList<TimelineInterval> intervals, double windowMs)
    {
        ArgumentNullException.ThrowIfNull(intervals);
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
        while (series.IntervalNanoseconds * 2 <= OneSecondNanoseconds && Nanoseconds(window) / (series.IntervalNanoseconds * 2) >= FewestIntervals)
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

namespace Serdica.Perf.Results.Recording;

/// <summary>Throughput and p99 over the measured window.</summary>
public sealed record Timeline
{
    public required double IntervalMs { get; init; }

    public required IReadOnlyList<TimelineInterval> Intervals { get; init; }

    /// <summary>
    /// The rate in the last tenth of the window over the rate in the first: 1 is steady, 0.5 means that the run ended at half its
    /// speed. Null when the run was too short, or nothing completed in the first tenth.
    /// </summary>
    public double? TailRatio { get; init; }

    /// <summary>Nothing completed in the first tenth, of a run that was long enough to look.</summary>
    internal bool IsSilentAtFirst => TailRatio is null && Intervals.Count >= ThroughputTimeline.FewestIntervals;

    /// <summary>The highest p99 of any interval.</summary>
    public double? WorstP99Ms { get; init; }

    /// <summary>The highest p99 of those intervals that have enough completions for one: what reports show.</summary>
    internal double? ShownWorstP99Ms => Intervals.Max(interval => interval.ShownP99Ms);

    /// <summary>
    /// The intervals for a chart. When the window covers less than half of the last interval, that interval is merged into the one
    /// before it, because a few operations in a few milliseconds are not a rate. The p99 is that of the longer part.
    /// </summary>
    /// <param name="windowMs">The length of the measured window in milliseconds.</param>
    public IReadOnlyList<TimelineInterval> WithoutShortEnd(double windowMs)
    {
        if (Intervals is not [.., var before, var last] || windowMs - last.OffsetMs >= IntervalMs / 2)
            return Intervals;

        var count = before.Count + last.Count;
        return [.. Intervals.SkipLast(2), before with { Count = count, PerSecond = count / (windowMs - before.OffsetMs) * 1_000 }];
    }
}

/// <summary>Completions within one interval of the measured window.</summary>
/// <param name="OffsetMs">Start of the interval, in milliseconds since the start of the window.</param>
/// <param name="Count">Operations that completed in the interval.</param>
/// <param name="PerSecond">Completions a second; in the last interval over the part that the window covers.</param>
/// <param name="P99Ms">99th percentile of the latency in milliseconds; null when none completed.</param>
public sealed record TimelineInterval(double OffsetMs, long Count, double PerSecond, double? P99Ms)
{
    /// <summary>What reports show: null where too few completions stand behind it.</summary>
    internal double? ShownP99Ms => LatencySummary.ShownP99(P99Ms, Count);
}

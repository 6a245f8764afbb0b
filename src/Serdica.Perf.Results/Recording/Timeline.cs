namespace Serdica.Perf.Results.Recording;

/// <summary>Throughput and p99 over the measured window.</summary>
public sealed record Timeline
{
    public required double IntervalMs { get; init; }

    public required IReadOnlyList<TimelineInterval> Intervals { get; init; }

    /// <summary>
    /// Rate of the last tenth of the window over the rate of its first: 1 is steady, 0.5 means that the run ended at half
    /// its speed. Null when the run was too short to tell.
    /// </summary>
    public double? TailRatio { get; init; }

    /// <summary>The highest p99 of any interval.</summary>
    public double? WorstP99Ms { get; init; }

    /// <summary>
    /// For a chart: the intervals, the last one together with the one before it when the window covers less than half of
    /// it. A handful of operations in a few milliseconds is no rate. The p99 is that of the longer part.
    /// </summary>
    /// <param name="windowMs">Length of the measured window.</param>
    public IReadOnlyList<TimelineInterval> WithoutShortEnd(double windowMs)
    {
        if (Intervals is not [.., var before, var last] || windowMs - last.OffsetMs >= IntervalMs / 2)
            return Intervals;

        var count = before.Count + last.Count;
        return [.. Intervals.SkipLast(2), before with { Count = count, PerSecond = count / (windowMs - before.OffsetMs) * 1_000 }];
    }
}

/// <summary>Completions within one interval of the measured window.</summary>
/// <param name="OffsetMs">Begin of the interval, from the begin of the window.</param>
/// <param name="Count">Operations that completed in it.</param>
/// <param name="PerSecond">Their rate; the last interval is divided by the part of it that the window covers.</param>
/// <param name="P99Ms">99th percentile of their latency; null when none completed.</param>
public sealed record TimelineInterval(double OffsetMs, long Count, double PerSecond, double? P99Ms);

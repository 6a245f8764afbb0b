namespace Serdica.Perf.Measurement.Results;

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
}

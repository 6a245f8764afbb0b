namespace Serdica.Perf.Results.Runs;

/// <summary>What a soak shows and a single throughput does not: how the run developed, interval by interval.</summary>
public sealed record SoakResult
{
    /// <summary>Operations a second of the calibration, a closed load directly before the soak.</summary>
    public required double MaximumPerSecond { get; init; }

    /// <summary>The share of the maximum that arrives, for instance 0.7.</summary>
    public required double Utilisation { get; init; }

    /// <summary>Arrivals a second.</summary>
    public required double OfferedPerSecond { get; init; }

    /// <summary>Intervals within the requested time. Later completions are in none.</summary>
    public IReadOnlyList<SoakInterval> Intervals { get; init; } = [];

    /// <summary>Throughput, latency and gauges over the intervals, each with its trend.</summary>
    public IReadOnlyList<SoakSeries> Series { get; init; } = [];
}

/// <summary>One interval of a soak.</summary>
/// <param name="OffsetSeconds">Its start, in seconds since the start of the load.</param>
/// <param name="LengthSeconds">Its actual length in seconds.</param>
/// <param name="Completed">Operations that completed in the interval.</param>
/// <param name="PerSecond">Completions a second.</param>
/// <param name="P99Ms">99th percentile of their response time in milliseconds; null when too few completed.</param>
/// <param name="Gauges">By name, the mean of the samples in the interval. Gauges without a sample are left out.</param>
public sealed record SoakInterval(
    double OffsetSeconds,
    double LengthSeconds,
    long Completed,
    double PerSecond,
    double? P99Ms,
    IReadOnlyDictionary<string, double> Gauges
);

/// <summary>One figure over the intervals of a soak.</summary>
/// <param name="Name">For instance <c>throughput</c> or <c>deadRows</c>.</param>
/// <param name="Unit">For instance <c>bytes</c>; null for a plain count.</param>
/// <param name="Unwelcome">The trend that is reported as a finding; null when none is.</param>
/// <param name="Trend">The trend by minute; null when the figure was not available.</param>
/// <param name="Reason">Why the figure was not available; null when it was.</param>
public sealed record SoakSeries(string Name, string? Unit, TrendVerdict? Unwelcome, Trend? Trend, string? Reason)
{
    /// <summary>Whether the series has the unwelcome trend.</summary>
    public bool IsFinding => Unwelcome is not null && Trend?.Verdict == Unwelcome;
}

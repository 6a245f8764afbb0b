namespace Serdica.Perf.Results.Runs;

/// <summary>What a soak shows that no single throughput does: how the run went on, interval by interval.</summary>
public sealed record SoakResult
{
    /// <summary>Operations a second of the calibration, a closed load right before the soak.</summary>
    public required double MaximumPerSecond { get; init; }

    /// <summary>The part of the maximum that arrives, for instance 0.7.</summary>
    public required double Utilisation { get; init; }

    /// <summary>Arrivals a second.</summary>
    public required double OfferedPerSecond { get; init; }

    /// <summary>Intervals that lie within the time that was asked for; what completed later is in none.</summary>
    public IReadOnlyList<SoakInterval> Intervals { get; init; } = [];

    /// <summary>Throughput, latency and gauges over the intervals, each with its trend.</summary>
    public IReadOnlyList<SoakSeries> Series { get; init; } = [];
}

/// <summary>One interval of a soak.</summary>
/// <param name="OffsetSeconds">Its begin, from the begin of the load.</param>
/// <param name="LengthSeconds">Its length as it was.</param>
/// <param name="Completed">Operations that completed in it.</param>
/// <param name="PerSecond">Their rate.</param>
/// <param name="P99Ms">99th percentile of their response time; null when none completed.</param>
/// <param name="Gauges">By name, the mean of the samples in the interval; without those that had none.</param>
public sealed record SoakInterval(
    double OffsetSeconds,
    double LengthSeconds,
    long Completed,
    double PerSecond,
    double? P99Ms,
    IReadOnlyDictionary<string, double> Gauges);

/// <summary>One figure over the intervals of a soak.</summary>
/// <param name="Name">For instance <c>throughput</c> or <c>deadRows</c>.</param>
/// <param name="Unit">For instance <c>bytes</c>; null for a plain count.</param>
/// <param name="Unwelcome">The trend that is a finding; null when none is.</param>
/// <param name="Trend">By minute; null when the figure could not be had.</param>
/// <param name="Reason">Why it could not be had; null when it could.</param>
public sealed record SoakSeries(string Name, string? Unit, TrendVerdict? Unwelcome, Trend? Trend, string? Reason)
{
    /// <summary>Whether the series went where it should not.</summary>
    public bool IsFinding => Unwelcome is not null && Trend?.Verdict == Unwelcome;
}

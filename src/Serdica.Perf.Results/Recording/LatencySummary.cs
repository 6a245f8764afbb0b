namespace Serdica.Perf.Results.Recording;

/// <summary>
/// The printed figures of a <see cref="LatencyHistogram"/> in milliseconds, always with the number of samples. Count, average,
/// minimum and maximum are exact; a percentile overstates by at most <see cref="LatencyHistogram.RelativeError"/>. All figures are
/// null when nothing was recorded.
/// </summary>
public sealed record LatencySummary
{
    /// <summary>The samples that a percentile needs: with fewer it is just the maximum.</summary>
    internal static IReadOnlyList<(string Name, int Samples)> PercentileNeeds { get; } =
    [.. ((double[])[90, 95, 99, 99.9]).Select(percentile => (Invariant($"p{percentile}"), SamplesFor(percentile)))];

    /// <summary>The summary of an empty histogram.</summary>
    public static LatencySummary Empty { get; } = new();

    public long Count { get; init; }

    public double? AverageMs { get; init; }

    public double? MinMs { get; init; }

    public double? P50Ms { get; init; }

    public double? P90Ms { get; init; }

    public double? P95Ms { get; init; }

    public double? P99Ms { get; init; }

    [JsonPropertyName("p999Ms")]
    public double? P99Point9Ms { get; init; }

    public double? MaxMs { get; init; }

    /// <summary>Without the percentiles for which there are too few samples: what reports show.</summary>
    public LatencySummary Shown() =>
        Count >= PercentileNeeds[^1].Samples
            ? this
            : this with
            {
                P90Ms = Enough(90, P90Ms),
                P95Ms = Enough(95, P95Ms),
                P99Ms = Enough(99, P99Ms),
                P99Point9Ms = Enough(99.9, P99Point9Ms),
            };

    /// <summary>The p99 of an interval as reports show it; null where too few samples stand behind it.</summary>
    internal static double? ShownP99(double? p99, long count) => new LatencySummary { Count = count, P99Ms = p99 }.Shown().P99Ms;

    /// <summary>The samples of which one alone is above the percentile; fewer show its maximum.</summary>
    /// <param name="percentile">0 to 100; below 90 one sample is taken for enough, and 100 is the maximum.</param>
    internal static int SamplesFor(double percentile) =>
        percentile is < 90 or >= 100 ? 1 : (int)Math.Min(int.MaxValue, Math.Ceiling(Math.Round(100 / (100 - percentile), 6)));

    private double? Enough(double percentile, double? value) => Count < SamplesFor(percentile) ? null : value;
}

using System.Text.Json.Serialization;

namespace Serdica.Perf.Results.Recording;

/// <summary>
/// The printed figures of a <see cref="LatencyHistogram"/> in milliseconds, always with the number of samples. Count, average,
/// minimum and maximum are exact; a percentile overstates by at most <see cref="LatencyHistogram.RelativeError"/>. All figures are
/// null when nothing was recorded.
/// </summary>
public sealed record LatencySummary
{
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
}

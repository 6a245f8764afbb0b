using System.Text.Json.Serialization;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Results.Recording;

/// <summary>
/// What is printed of a <see cref="LatencyHistogram"/>: milliseconds, always with the number of samples behind them.
/// Count, average, minimum and maximum are exact; a percentile overstates by at most
/// <see cref="LatencyHistogram.RelativeError"/>. All figures are null when nothing was recorded.
/// </summary>
public sealed record LatencySummary
{
    /// <summary>A summary of nothing.</summary>
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

    /// <summary>Each figure the median of that figure over several repeats.</summary>
    /// <param name="typical">Whose number of samples it keeps.</param>
    /// <param name="repeats">One or more.</param>
    internal static LatencySummary Medians(LatencySummary typical, IReadOnlyCollection<LatencySummary> repeats)
    {
        double? Median(Func<LatencySummary, double?> figure) => Spread.Of(repeats.Select(figure))?.Median;
        return new()
        {
            Count = typical.Count,
            AverageMs = Median(latency => latency.AverageMs),
            MinMs = Median(latency => latency.MinMs),
            P50Ms = Median(latency => latency.P50Ms),
            P90Ms = Median(latency => latency.P90Ms),
            P95Ms = Median(latency => latency.P95Ms),
            P99Ms = Median(latency => latency.P99Ms),
            P99Point9Ms = Median(latency => latency.P99Point9Ms),
            MaxMs = Median(latency => latency.MaxMs),
        };
    }
}

using System.Text.Json.Serialization;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>What a change must pass to count.</summary>
public sealed record ComparisonSettings
{
    public const double DefaultMinimumEffect = 0.05;

    public static ComparisonSettings Default { get; } = new();

    /// <summary>0.05 means that less than 5 % does not matter, even when it is certain.</summary>
    public double MinimumEffect { get; init; } = DefaultMinimumEffect;

    /// <summary>By metric name, what differs from the rest.</summary>
    public IReadOnlyDictionary<string, MetricSettings> Metrics { get; init; } = new Dictionary<string, MetricSettings>();

    public double MinimumEffectOf(string metric) => Metrics.GetValueOrDefault(metric)?.MinimumEffect ?? MinimumEffect;

    /// <summary>
    /// By scenario (with the backend in front) and metric, what the history or runs of the same code have shown. Only single
    /// runs need it: what makes two runs differ falls out of blocks.
    /// </summary>
    public IReadOnlyDictionary<(string Scenario, string Metric), RunNoise> BetweenRuns { get; init; } = new Dictionary<(string Scenario, string Metric), RunNoise>();

    /// <summary>What a change of the metric must exceed whatever chance says; 0 when nothing is set.</summary>
    /// <param name="metric">For instance <c>p99</c>.</param>
    public double NoiseFloorOf(string metric) => Metrics.GetValueOrDefault(metric)?.NoiseFloor ?? 0;
}

/// <summary>What one metric has of its own.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record MetricSettings
{
    /// <summary>In place of <see cref="ComparisonSettings.MinimumEffect"/>.</summary>
    public double? MinimumEffect { get; init; }

    /// <summary>
    /// By how much two measurements of the same code are known to differ, for instance 0.2. A smaller change is none, however
    /// certain it is.
    /// </summary>
    public double? NoiseFloor { get; init; }
}

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

    /// <summary>By scenario and metric, what runs of the same code have shown: see <see cref="NoiseFloors"/>.</summary>
    public IReadOnlyDictionary<(string Scenario, string Metric), double> LearnedFloors { get; init; } = new Dictionary<(string Scenario, string Metric), double>();

    /// <summary>What is known of the metric's noise beyond the repeats that are compared; 0 when nothing is.</summary>
    /// <param name="scenario">With the backend in front.</param>
    /// <param name="metric">For instance <c>p99</c>.</param>
    public double NoiseFloorOf(string scenario, string metric) =>
        Math.Max(Metrics.GetValueOrDefault(metric)?.NoiseFloor ?? 0, LearnedFloors.GetValueOrDefault((scenario, metric)));
}

/// <summary>What one metric has of its own.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record MetricSettings
{
    /// <summary>In place of <see cref="ComparisonSettings.MinimumEffect"/>.</summary>
    public double? MinimumEffect { get; init; }

    /// <summary>
    /// By how much two runs of the same code are known to differ, for instance 0.2: repeats of one run lie in one hour and
    /// don't show what another hour brings. The larger one of this and the floor of the repeats counts.
    /// </summary>
    public double? NoiseFloor { get; init; }
}

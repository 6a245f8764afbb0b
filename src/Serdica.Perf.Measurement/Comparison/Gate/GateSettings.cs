using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>The content of <c>perf-gate.json</c>: what must not happen from one run to the next.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record GateSettings
{
    /// <summary>As in <see cref="ComparisonSettings.MinimumEffect"/>.</summary>
    public double MinimumEffect { get; init; } = ComparisonSettings.DefaultMinimumEffect;

    /// <summary>As in <see cref="ComparisonSettings.Metrics"/>.</summary>
    public IReadOnlyDictionary<string, MetricSettings> Metrics { get; init; } = new Dictionary<string, MetricSettings>();

    /// <summary>How much worse than the base the candidate may be.</summary>
    public IReadOnlyList<RelativeLimit> Relative { get; init; } = [];

    /// <summary>What the candidate must reach whatever the base is.</summary>
    public IReadOnlyList<Objective> Objectives { get; init; } = [];

    /// <summary>What is known to be broken and does not fail the gate for a while.</summary>
    public IReadOnlyList<Quarantine> Quarantine { get; init; } = [];

    /// <summary>Null when a run always goes to its end.</summary>
    public AbortRule? Abort { get; init; }

    [JsonIgnore]
    public ComparisonSettings Comparison => new() { MinimumEffect = MinimumEffect, Metrics = Metrics };
}

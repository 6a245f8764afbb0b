using System.Text.Json.Serialization;

namespace Serdica.Perf.Measurement.Comparisons;

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

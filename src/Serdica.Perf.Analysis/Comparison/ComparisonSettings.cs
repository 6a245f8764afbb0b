namespace Serdica.Perf.Analysis.Comparison;

/// <summary>What a change must exceed to count.</summary>
internal sealed record ComparisonSettings
{
    public const double DefaultMinimumEffect = 0.05;

    public static ComparisonSettings Default { get; } = new();

    /// <summary>The smallest change that matters: 0.05 means that less than 5 % does not matter, even when it is certain.</summary>
    public double MinimumEffect { get; init; } = DefaultMinimumEffect;

    /// <summary>Settings of single metrics, by metric name.</summary>
    public IReadOnlyDictionary<string, MetricSettings> Metrics { get; init; } = new Dictionary<string, MetricSettings>();

    public double MinimumEffectOf(string metric) => Metrics.GetValueOrDefault(metric)?.MinimumEffect ?? MinimumEffect;

    /// <summary>
    /// By scenario (with the backend in front) and metric, the noise that the history or runs of the same code have
    /// shown. Only single runs need it: differences between runs cancel out of blocks.
    /// </summary>
    public IReadOnlyDictionary<(string Scenario, string Metric), RunNoise> BetweenRuns { get; init; } =
        new Dictionary<(string Scenario, string Metric), RunNoise>();

    /// <summary>The noise floor that a change of the metric must exceed in any case; 0 when none is set.</summary>
    /// <param name="metric">The name of the metric, for instance <c>p99</c>.</param>
    public double NoiseFloorOf(string metric) => Metrics.GetValueOrDefault(metric)?.NoiseFloor ?? 0;
}

/// <summary>Settings of one metric.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
internal sealed record MetricSettings
{
    /// <summary>Overrides <see cref="ComparisonSettings.MinimumEffect"/>.</summary>
    public double? MinimumEffect { get; init; }

    /// <summary>
    /// The known difference between two measurements of the same code, for instance 0.2. A smaller change does not count,
    /// however certain it is.
    /// </summary>
    public double? NoiseFloor { get; init; }
}

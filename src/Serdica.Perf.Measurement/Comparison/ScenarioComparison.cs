namespace Serdica.Perf.Measurement.Comparisons;

/// <summary>One scenario of two runs.</summary>
public sealed record ScenarioComparison
{
    /// <summary>With the backend in front.</summary>
    public required string Name { get; init; }

    /// <summary>One phrase for each thing that was not alike; empty when the two may be compared.</summary>
    public IReadOnlyList<string> Unlike { get; init; } = [];

    /// <summary>The headline first. One entry without figures when one side was not measured at all.</summary>
    public required IReadOnlyList<MetricComparison> Metrics { get; init; }
}

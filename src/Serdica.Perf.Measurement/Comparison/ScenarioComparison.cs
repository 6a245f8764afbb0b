namespace Serdica.Perf.Measurement.Comparisons;

/// <summary>One scenario of two runs.</summary>
public sealed record ScenarioComparison
{
    /// <summary>With the backend in front.</summary>
    public required string Name { get; init; }

    /// <summary>One phrase for each thing that was not alike; empty when the two may be compared.</summary>
    public IReadOnlyList<string> Unlike { get; init; } = [];

    /// <summary>One phrase for each thing that the sides of a comparison in blocks were told to differ in.</summary>
    public IReadOnlyList<string> Varied { get; init; } = [];

    /// <summary>The headline first. One entry without figures when one side was not measured at all.</summary>
    public required IReadOnlyList<MetricComparison> Metrics { get; init; }
}

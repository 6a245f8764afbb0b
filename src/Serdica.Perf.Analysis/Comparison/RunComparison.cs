using System.Text.Json.Serialization;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>Two runs side by side: what changed, with evidence. Complete before a writer sees it.</summary>
public sealed record RunComparison
{
    /// <summary>Rises when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    /// <summary>The base's run, or the name of its published baseline.</summary>
    public required string Base { get; init; }

    public required string Candidate { get; init; }

    /// <summary>Whether scenarios were compared although they were not measured alike.</summary>
    public required bool AllowUnlike { get; init; }

    /// <summary>One phrase for each thing that differs between the machines and programs of the two runs.</summary>
    public IReadOnlyList<string> Unlike { get; init; } = [];

    /// <summary>Cores that the processes of the two runs might use.</summary>
    public CoreCounts? Cores { get; init; }

    public required IReadOnlyList<ScenarioComparison> Scenarios { get; init; }

    /// <summary>For how many metrics the verdicts are corrected, in one sentence; null when nothing was judged.</summary>
    public string? Correction { get; init; }

    /// <summary>What was not alike in any scenario or in the two runs, each phrase once.</summary>
    public IReadOnlyList<string> AllUnlike() => [.. Scenarios.SelectMany(scenario => scenario.Unlike).Concat(Unlike).Distinct()];

    /// <summary>What the sides of a comparison in blocks were told to differ in, each phrase once.</summary>
    public IReadOnlyList<string> AllVaried() => [.. Scenarios.SelectMany(scenario => scenario.Varied).Distinct()];

    /// <summary>Every metric that has the verdict, with its scenario.</summary>
    public IEnumerable<(ScenarioComparison Scenario, MetricComparison Metric)> With(Verdict verdict) =>
        from scenario in Scenarios
        from metric in scenario.Metrics
        where metric.Verdict == verdict
        select (scenario, metric);
}

/// <summary>One scenario of two runs.</summary>
public sealed record ScenarioComparison
{
    /// <summary>With the backend in front.</summary>
    public required string Name { get; init; }

    /// <summary>One phrase for each thing that was not alike; empty when the two may be compared.</summary>
    public IReadOnlyList<string> Unlike { get; init; } = [];

    /// <summary>One phrase for each thing that the sides of a comparison in blocks were told to differ in.</summary>
    public IReadOnlyList<string> Varied { get; init; } = [];

    /// <summary>One sentence on why the candidate lacks what the base has, or did not pass it; null when it passed.</summary>
    [JsonIgnore]
    public string? Lacking { get; init; }

    /// <summary>The headline first. One entry without figures when one side was not measured at all.</summary>
    public required IReadOnlyList<MetricComparison> Metrics { get; init; }
}

/// <summary>Cores that the processes of two runs might use.</summary>
public sealed record CoreCounts(double Before, double After);

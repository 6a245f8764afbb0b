namespace Serdica.Perf.Analysis.Comparison;

/// <summary>Two runs side by side: what changed, with evidence. It is complete before any writer sees it.</summary>
internal sealed record RunComparison
{
    /// <summary>Incremented when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    /// <summary>The name of the base's run, or of its published baseline.</summary>
    public required string Base { get; init; }

    public required string Candidate { get; init; }

    /// <summary>Whether scenarios were compared in spite of different conditions.</summary>
    public required bool AllowUnlike { get; init; }

    /// <summary>Differences between the machines and programs of the two runs, one phrase each.</summary>
    public IReadOnlyList<string> Unlike { get; init; } = [];

    /// <summary>The cores that the processes of each run could use.</summary>
    public CoreCounts? Cores { get; init; }

    /// <summary>Which run did not pass, and which repeats are therefore left out of its figures, one sentence each.</summary>
    public IReadOnlyList<string> NotPassed { get; init; } = [];

    public required IReadOnlyList<ScenarioComparison> Scenarios { get; init; }

    /// <summary>The number of metrics for which the verdicts are corrected, in one sentence; null when nothing was judged.</summary>
    public string? Correction { get; init; }

    /// <summary>Whether no metric was compared: the runs have no scenario in common, or each was withdrawn for a reason.</summary>
    [JsonIgnore]
    public bool ComparedNothing => !Scenarios.SelectMany(scenario => scenario.Metrics).Any(metric => metric.WasCompared);

    /// <summary>Differences in the conditions of any scenario or of the two runs, each phrase once.</summary>
    public IReadOnlyList<string> AllUnlike() => [.. Scenarios.SelectMany(scenario => scenario.Unlike).Concat(Unlike).Distinct()];

    /// <summary>Differences on purpose between the sides of a comparison in blocks, each phrase once.</summary>
    public IReadOnlyList<string> AllVaried() => [.. Scenarios.SelectMany(scenario => scenario.Varied).Distinct()];

    /// <summary>Every metric with this verdict, and its scenario.</summary>
    public IEnumerable<(ScenarioComparison Scenario, MetricComparison Metric)> With(Verdict verdict) =>
        from scenario in Scenarios
        from metric in scenario.Metrics
        where metric.Verdict == verdict
        select (scenario, metric);
}

/// <summary>One scenario of two runs.</summary>
internal sealed record ScenarioComparison
{
    /// <summary>The name of the scenario, starting with the backend.</summary>
    public required string Name { get; init; }

    /// <summary>Differences in the conditions, one phrase each; empty when the two are comparable.</summary>
    public IReadOnlyList<string> Unlike { get; init; } = [];

    /// <summary>Differences on purpose between the sides of a comparison in blocks, one phrase each.</summary>
    public IReadOnlyList<string> Varied { get; init; } = [];

    /// <summary>
    /// Whether the candidate's speed must be judged against the base: false for a scenario that only the candidate has, and for a
    /// trial of a search for the highest rate.
    /// </summary>
    [JsonIgnore]
    public bool IsExpected { get; init; } = true;

    /// <summary>Why the candidate lacks or failed a scenario of the base, in one sentence; null when it passed.</summary>
    [JsonIgnore]
    public string? Lacking { get; init; }

    /// <summary>The metrics, the main one first. One entry without figures when one side was not measured at all.</summary>
    public required IReadOnlyList<MetricComparison> Metrics { get; init; }
}

/// <summary>The cores that the processes of each of two runs could use.</summary>
internal sealed record CoreCounts(double Before, double After);

namespace Serdica.Perf.Analysis.Gates;

/// <summary>The content of <c>perf-gate.json</c>: limits on the change from one run to the next.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
internal sealed record GateSettings
{
    /// <summary>The smallest change that matters, see <see cref="ComparisonSettings.MinimumEffect"/>.</summary>
    public double MinimumEffect { get; init; } = ComparisonSettings.DefaultMinimumEffect;

    /// <summary>Settings of single metrics, see <see cref="ComparisonSettings.Metrics"/>.</summary>
    public IReadOnlyDictionary<string, MetricSettings> Metrics { get; init; } = new Dictionary<string, MetricSettings>();

    /// <summary>How much worse than the base the candidate may be.</summary>
    public IReadOnlyList<RelativeLimit> Relative { get; init; } = [];

    /// <summary>What the candidate must reach, whatever the base is.</summary>
    public IReadOnlyList<Objective> Objectives { get; init; } = [];

    /// <summary>Known breaches that do not fail the gate for a limited time.</summary>
    public IReadOnlyList<Quarantine> Quarantine { get; init; } = [];

    /// <summary>When to stop a run early; null when every run is completed.</summary>
    public AbortRule? Abort { get; init; }

    [JsonIgnore]
    public ComparisonSettings Comparison => new() { MinimumEffect = MinimumEffect, Metrics = Metrics };
}

/// <summary>When a run misses a limit by so wide a margin that the rest is not worth measuring.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
internal sealed record AbortRule
{
    /// <summary>The number of repeats of a scenario that must all miss the limit; default 3.</summary>
    public int AfterRepeats { get; init; } = 3;

    /// <summary>How far beyond the limit: with 2, half of a lower bound or twice an upper bound. Default 2.</summary>
    public double Factor { get; init; } = 2;
}

/// <summary>An absolute bound on a figure of the candidate, in the figure's own unit.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
internal sealed record Objective
{
    /// <summary>The name of the scenario, starting with the backend; <c>*</c> matches any text.</summary>
    public string Scenario { get; init; } = "*";

    /// <summary>The name of the metric, for instance <c>p99</c>.</summary>
    public required string Metric { get; init; }

    /// <summary>Null without a lower bound.</summary>
    public double? Least { get; init; }

    /// <summary>Null without an upper bound.</summary>
    public double? Most { get; init; }
}

/// <summary>A known breach, which is shown and does not fail the gate until it expires.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
internal sealed record Quarantine
{
    /// <summary>The name of the scenario, starting with the backend; <c>*</c> matches any text.</summary>
    public required string Scenario { get; init; }

    public string Metric { get; init; } = "*";

    /// <summary>For people: the reason, and who takes care of it.</summary>
    public required string Reason { get; init; }

    /// <summary>The last day on which the quarantine applies, in UTC.</summary>
    public required DateOnly Expires { get; init; }
}

/// <summary>A regression by more than this is a breach. A change that may be noise is not, however large it is.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
internal sealed record RelativeLimit
{
    /// <summary>The name of the scenario, starting with the backend; <c>*</c> matches any text.</summary>
    public string Scenario { get; init; } = "*";

    /// <summary>The name of the metric, for instance <c>throughput</c>; <c>*</c> matches any text.</summary>
    public required string Metric { get; init; }

    /// <summary>The allowed regression: 0.1 allows 10 % less throughput, or 10 % more of anything else.</summary>
    public required double WorseBy { get; init; }
}

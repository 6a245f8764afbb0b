using System.Text.Json.Serialization;
using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Analysis.Gates;

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

/// <summary>When a run is so far from a limit that the rest of it is not worth its time.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record AbortRule
{
    /// <summary>Repeats of a scenario that must all be as bad; default 3.</summary>
    public int AfterRepeats { get; init; } = 3;

    /// <summary>How far beyond the limit: with 2, half of a least throughput or twice of a highest latency. Default 2.</summary>
    public double Factor { get; init; } = 2;
}

/// <summary>An absolute bound on a figure of the candidate, in the figure's own unit.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record Objective
{
    /// <summary>With the backend in front; <c>*</c> stands for any letters.</summary>
    public string Scenario { get; init; } = "*";

    /// <summary>For instance <c>p99</c>.</summary>
    public required string Metric { get; init; }

    /// <summary>Null without a lower bound.</summary>
    public double? Least { get; init; }

    /// <summary>Null without an upper bound.</summary>
    public double? Most { get; init; }
}

/// <summary>A breach that is known and shown, and does not fail the gate until it expires.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record Quarantine
{
    /// <summary>With the backend in front; <c>*</c> stands for any letters.</summary>
    public required string Scenario { get; init; }

    public string Metric { get; init; } = "*";

    /// <summary>For people: why, and who looks after it.</summary>
    public required string Reason { get; init; }

    /// <summary>The last day on which it holds, UTC.</summary>
    public required DateOnly Expires { get; init; }
}

/// <summary>A regression by more than this is a breach. What may be noise is none, however large it is.</summary>
[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Disallow)]
public sealed record RelativeLimit
{
    /// <summary>With the backend in front; <c>*</c> stands for any letters.</summary>
    public string Scenario { get; init; } = "*";

    /// <summary>For instance <c>throughput</c>; <c>*</c> stands for any letters.</summary>
    public required string Metric { get; init; }

    /// <summary>0.1 allows 10 % less throughput, or 10 % more of anything else.</summary>
    public required double WorseBy { get; init; }
}

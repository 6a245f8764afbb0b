using Serdica.Perf.Measurement.Recording;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>One measurement with its curves. What is missing has a sentence in its place.</summary>
public sealed record ReportScenario
{
    public required string Run { get; init; }

    /// <summary>Backend, scenario and, where it was repeated, the number of the repeat.</summary>
    public required string Name { get; init; }

    /// <summary>Without the backend: what the same name has is shown together.</summary>
    public required string Scenario { get; init; }

    public required string Backend { get; init; }

    public required string Tier { get; init; }

    public required string Description { get; init; }

    public required ScenarioStatus Status { get; init; }

    /// <summary>Whether it is a trial of a search that did not hold, which is no failure.</summary>
    public bool DidNotHold { get; init; }

    public IReadOnlyList<string> FailureReasons { get; init; } = [];

    /// <summary>For instance <c>closed load, 256 callers, 2 workers, 20,000 operations</c>.</summary>
    public required string Load { get; init; }

    /// <summary>Whether it is the repeat that stands for all, or the only one.</summary>
    public required bool IsTypical { get; init; }

    public required int Concurrency { get; init; }

    public required long Operations { get; init; }

    public double? ThroughputPerSecond { get; init; }

    public double DurationMs { get; init; }

    public double? DrainMs { get; init; }

    public required LatencySummary ResponseTime { get; init; }

    /// <summary>Response time first, service time only where it differs, then the phases; without raw histograms only summaries.</summary>
    public IReadOnlyList<ReportLatency> Latencies { get; init; } = [];

    public ReportTimeline? Timeline { get; init; }

    public ReportHeatMap? HeatMap { get; init; }

    public string? HeatMapMissing { get; init; }

    public IReadOnlyList<ReportMark> Marks { get; init; } = [];

    public ReportCurves? Curves { get; init; }

    public string? CurvesMissing { get; init; }

    /// <summary>The longest first, idle ones left out.</summary>
    public IReadOnlyList<ReportWait> Waits { get; init; } = [];

    public string? WaitsMissing { get; init; }

    public IReadOnlyDictionary<string, MetricValue> CostPerOperation { get; init; } = new Dictionary<string, MetricValue>();

    public IReadOnlyList<VerificationCheck> Verification { get; init; } = [];
}

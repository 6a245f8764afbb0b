namespace Serdica.Perf.Reports.Documents;

/// <summary>One measurement with its curves. What is missing has a sentence in its place.</summary>
internal sealed record ReportScenario
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

    public IReadOnlyList<ReportError> Errors { get; init; } = [];

    /// <summary>For instance <c>closed load, 256 callers, 2 workers, 20,000 operations</c>.</summary>
    public required string Load { get; init; }

    /// <summary>Whether it is the repeat that stands for all, or the only one.</summary>
    public required bool IsTypical { get; init; }

    /// <summary>Where it stands for repeats that did not all pass: how many did, and the reasons of the others.</summary>
    public string? FailedRepeats { get; init; }

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

/// <summary>The latencies of one phase.</summary>
/// <param name="Percentiles">Pairs of 1/(1-p) and milliseconds, rising, the last of them the maximum; empty without a raw
/// histogram, and with too few samples for the p99.</param>
/// <param name="Distribution">Triples of the bounds of a bucket in milliseconds and its count; empty without a raw histogram.</param>
internal sealed record ReportLatency(
    string Phase,
    LatencySummary Summary,
    IReadOnlyList<IReadOnlyList<double>> Percentiles,
    IReadOnlyList<IReadOnlyList<double>> Distribution
);

/// <summary>Throughput and p99 over the measured window.</summary>
/// <param name="IntervalSeconds">The length of the interval of each point.</param>
/// <param name="Seconds">Start of each interval, from the start of the window.</param>
/// <param name="P99Ms">Null where too few completed.</param>
internal sealed record ReportTimeline(
    double IntervalSeconds,
    IReadOnlyList<double> Seconds,
    IReadOnlyList<double> PerSecond,
    IReadOnlyList<double?> P99Ms
);

/// <summary>What the engine's database sessions spent time on.</summary>
/// <param name="Kind">What it means, for instance <c>log flush</c>.</param>
/// <param name="MicrosecondsPerOperation">Sum over all sessions, for one completed operation.</param>
/// <param name="Share">Share of the time in which sessions were not idle, 0 to 1.</param>
internal sealed record ReportWait(string Name, string Kind, double MicrosecondsPerOperation, double Share);

/// <summary>A capacity ladder with its findings in words and its law as a line.</summary>
/// <param name="FitNote">The law's parameters, or why there is no fit.</param>
/// <param name="Curve">Pairs of callers and throughput; empty without a fit.</param>
internal sealed record ReportLadder(
    string Run,
    CapacityLadder Ladder,
    string SizingNote,
    string FitNote,
    IReadOnlyList<IReadOnlyList<double>> Curve
);

/// <summary>Failed operations with the same cause.</summary>
/// <param name="Code">The server's own code; null without one.</param>
/// <param name="FirstMessage">The message of the first.</param>
internal sealed record ReportError(string Operation, string Class, string? Code, long Count, string FirstMessage);

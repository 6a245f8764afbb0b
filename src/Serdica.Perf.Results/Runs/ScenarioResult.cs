using System.Text.Json.Serialization;
using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Results.Runs;

/// <summary>
/// One scenario on one backend, measured once. Complete before a writer sees it. All times are milliseconds.
/// </summary>
public sealed record ScenarioResult
{
    /// <summary>Backend and scenario, for instance <c>postgresql-signal-roundtrip-latency-serial</c>.</summary>
    public required string Name { get; init; }

    public required ScenarioStatus Status { get; init; }

    /// <summary>One sentence each; empty when it passed.</summary>
    public IReadOnlyList<string> FailureReasons { get; init; } = [];

    /// <summary>What the engine warned of although it passed, one sentence for each kind: calls to the database that failed and were repeated.</summary>
    public IReadOnlyList<string> EngineWarnings { get; init; } = [];

    public required string Scenario { get; init; }

    public required string Backend { get; init; }

    /// <summary>The test category, for instance <c>WorkflowPerfSmoke</c>.</summary>
    public required string Tier { get; init; }

    /// <summary>The group in the report: one of <see cref="ScenarioFamilies"/>.</summary>
    public required string Family { get; init; }

    /// <summary>One sentence on what it stresses.</summary>
    public required string Description { get; init; }

    public required ScenarioParameters Parameters { get; init; }

    /// <summary>Whether it is a trial of a search for the highest rate: that one did not hold is what the search wanted to know, and no failure.</summary>
    public bool IsTrial { get; init; }

    /// <summary>Changes with the workflow definitions, so that a changed scenario is not compared with its past.</summary>
    public string? DefinitionHash { get; init; }

    public OperationCounts Counts { get; init; } = new();

    /// <summary>As many as were asked for, or as many as began in the time that was asked for.</summary>
    [JsonIgnore]
    public long Operations => Parameters.DurationSeconds is null ? Parameters.Operations : Counts.Started;

    /// <summary>What it caused on purpose, which is in no count of failures; null where that is nothing.</summary>
    public IntendedTrouble? Intended { get; init; }

    public WarmUp? WarmUp { get; init; }

    /// <summary>
    /// The measured window: from the first operation's start to the last one's completion; of a load test or a queue test the
    /// time in which operations were to be begun where that is longer.
    /// </summary>
    public double DurationMs { get; init; }

    /// <summary>Whether the run has failed by it. A trial fails nothing, unless an answer was wrong.</summary>
    [JsonIgnore]
    public bool FailsTheRun => Status != ScenarioStatus.Passed && !(IsTrial && Verification.All(check => check.Passed));

    /// <summary>
    /// Completed operations over the measured window. A scenario that did not pass, or that has a check that did not hold,
    /// has none: it is computed and cannot be set.
    /// </summary>
    public double? ThroughputPerSecond =>
        Status == ScenarioStatus.Passed && DurationMs > 0 && Verification.All(check => check.Passed)
            ? Counts.Completed / DurationMs * 1000
            : null;

    /// <summary>From when the call was really made to the operation's own completion.</summary>
    public LatencySummary ServiceTime { get; init; } = LatencySummary.Empty;

    /// <summary>From when the load model wanted the call to be made to the operation's own completion.</summary>
    public LatencySummary ResponseTime { get; init; } = LatencySummary.Empty;

    /// <summary>From the operation's start to the end of the wave's drain: the old definition of the reference.</summary>
    public LatencySummary? LatencyToDrain { get; init; }

    /// <summary>By name: see <see cref="PhaseNames"/>.</summary>
    public IReadOnlyDictionary<string, LatencySummary> Phases { get; init; } = new Dictionary<string, LatencySummary>();

    /// <summary>
    /// The generator's own lag: from the moment when a call was due and a caller free, to the call. Waits for busy callers are
    /// not in it. Null in a result of a version that did not record it.
    /// </summary>
    public LatencySummary? GeneratorLag { get; init; }

    /// <summary>One sentence on the evidence that more was offered than could be done; null of a load without any.</summary>
    public string? Saturation { get; init; }

    /// <summary>Why nothing that it left was verified; null where it was.</summary>
    public string? Unverified { get; init; }

    /// <summary>How long after its due time a delayed signal was handled; null where nothing was delayed.</summary>
    public LatencySummary? Lateness { get; init; }

    public Drain? Drain { get; init; }

    public IReadOnlyList<VerificationCheck> Verification { get; init; } = [];

    public Timeline? Timeline { get; init; }

    /// <summary>Intervals and trends of a scenario that lasts for a time; null for the others.</summary>
    public SoakResult? Soak { get; init; }

    /// <summary>By phase, the path of the raw histogram relative to the run folder.</summary>
    public IReadOnlyDictionary<string, string> Histograms { get; init; } = new Dictionary<string, string>();

    /// <summary>The path of the response times by interval, relative to the run folder; null when there are none.</summary>
    public string? IntervalHistograms { get; init; }

    /// <summary>
    /// What this process did in the measured window and the drain, by metric name: processor time and allocations of engine
    /// and load generator together, collections, memory, and what the workers counted.
    /// </summary>
    public IReadOnlyDictionary<string, MetricValue> EngineMetrics { get; init; } = new Dictionary<string, MetricValue>();

    /// <summary>What the database did meanwhile, by metric name, for instance <c>commits</c>.</summary>
    public IReadOnlyDictionary<string, MetricValue> DatabaseMetrics { get; init; } = new Dictionary<string, MetricValue>();

    /// <summary>What the engine's database sessions waited for, the longest first; empty where the database does not tell.</summary>
    public IReadOnlyList<ServerWait> TopWaits { get; init; } = [];

    /// <summary>Why there are no waits, or not all.</summary>
    public string? WaitsMissing { get; init; }

    /// <summary>The statements that cost the database most, the costliest first; empty where it does not tell.</summary>
    public IReadOnlyList<ServerStatement> TopStatements { get; init; } = [];

    /// <summary>Why there are no statements.</summary>
    public string? StatementsMissing { get; init; }

    /// <summary>What it cost to collect all this; null when nothing was collected.</summary>
    public CollectorCost? Collectors { get; init; }

    /// <summary>Both divided by completed operations, as far as they are costs.</summary>
    public IReadOnlyDictionary<string, MetricValue> CostPerOperation { get; init; } = new Dictionary<string, MetricValue>();
}

/// <summary>How one scenario ended.</summary>
public enum ScenarioStatus
{
    /// <summary>All operations completed and every check held.</summary>
    Passed,

    /// <summary>It ran, but a check did not hold; it has reasons and no throughput.</summary>
    Failed,

    /// <summary>It was stopped before its end.</summary>
    Aborted,

    /// <summary>It did not run; the reason is given.</summary>
    NotMeasured,
}

/// <summary>From the last completion until the queue was seen idle; in no latency and in no throughput.</summary>
public sealed record Drain(double DurationMs);

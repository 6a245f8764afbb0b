namespace Serdica.Perf.Results.Runs;

/// <summary>
/// The result of one scenario on one backend, measured once. It is complete before any writer sees it. All times are milliseconds.
/// </summary>
public sealed record ScenarioResult
{
    /// <summary>With fewer completions, a throughput is chance.</summary>
    private const int FewestForThroughput = 100;

    /// <summary>Backend and scenario, for instance <c>postgresql-signal-roundtrip-latency-serial</c>.</summary>
    public required string Name { get; init; }

    public required ScenarioStatus Status { get; init; }

    /// <summary>Why the scenario failed, one sentence for each reason; empty when it passed.</summary>
    public IReadOnlyList<string> FailureReasons { get; init; } = [];

    /// <summary>
    /// Engine warnings of a scenario that passed, one sentence for each kind: database calls that failed and were retried.
    /// </summary>
    public IReadOnlyList<string> EngineWarnings { get; init; } = [];

    public required string Scenario { get; init; }

    public required string Backend { get; init; }

    /// <summary>The test category, for instance <c>WorkflowPerfSmoke</c>.</summary>
    public required string Tier { get; init; }

    /// <summary>The group in the report: one of <see cref="ScenarioFamilies"/>.</summary>
    public required string Family { get; init; }

    /// <summary>What the scenario stresses, in one sentence.</summary>
    public required string Description { get; init; }

    public required ScenarioParameters Parameters { get; init; }

    /// <summary>
    /// Whether it is a trial of a search for the highest rate. A trial that was not sustained is a result of the search, not a
    /// failure.
    /// </summary>
    public bool IsTrial { get; init; }

    /// <summary>Changes with the workflow definitions, so that a changed scenario is not compared with earlier results.</summary>
    public string? DefinitionHash { get; init; }

    /// <summary>
    /// How many times the operations of <see cref="Parameters"/> were measured in the window, one after the other. All figures are
    /// those of the whole window.
    /// </summary>
    public int Rounds { get; init; } = 1;

    public OperationCounts Counts { get; init; } = new();

    /// <summary>Failed operations by cause, the most frequent first.</summary>
    public IReadOnlyList<OperationError> Errors { get; init; } = [];

    /// <summary>The requested number of operations in all rounds, or the number that were started in the requested time.</summary>
    [JsonIgnore]
    public long Operations => Parameters.DurationSeconds is null ? (long)Parameters.Operations * Rounds : Counts.Started;

    /// <summary>Failures caused on purpose, which count as no failure; null when there are none.</summary>
    public IntendedTrouble? Intended { get; init; }

    public WarmUp? WarmUp { get; init; }

    /// <summary>
    /// The length of the measured window in milliseconds: from the first operation's start to the last one's completion; for a load
    /// test or queue test at least the time in which operations were to be started.
    /// </summary>
    public double DurationMs { get; init; }

    /// <summary>The time that counters and samples cover, in milliseconds: the measured window and the drain after it.</summary>
    internal double WatchedMs => DurationMs + (Drain?.DurationMs ?? 0);

    /// <summary>Whether the run fails because of this scenario. A trial fails the run only when a result was wrong.</summary>
    [JsonIgnore]
    public bool FailsTheRun => Status != ScenarioStatus.Passed && !(IsTrial && Verification.All(check => check.Passed));

    /// <summary>
    /// Completed operations a second over the measured window. Null for a scenario that did not pass or has a failed check. The
    /// value is computed and cannot be set.
    /// </summary>
    public double? ThroughputPerSecond =>
        Status == ScenarioStatus.Passed && DurationMs > 0 && Verification.All(check => check.Passed)
            ? Counts.Completed / DurationMs * 1000
            : null;

    /// <summary>The throughput that reports show: null also where there are <see cref="TooFew"/> operations.</summary>
    [JsonIgnore]
    public double? ShownPerSecond => Shown(ThroughputPerSecond, Counts.Completed);

    /// <summary>
    /// Which figures have too few operations behind them, so that reports leave them out, in one sentence; null when there are enough.
    /// The value is computed and cannot be set.
    /// </summary>
    public string? TooFew
    {
        get
        {
            var weak = LatencySummary.PercentileNeeds.Where(need => ResponseTime.Count < need.Samples).Select(need => need.Name);
            string[] figures = [.. Counts.Completed < FewestForThroughput ? ["throughput"] : Array.Empty<string>(), .. weak];
            return Status == ScenarioStatus.Passed && figures.Length > 0
                ? Invariant($"{Counts.Completed:#,0} operations are too few for {string.Join(", ", figures)}.")
                : null;
        }
    }

    /// <summary>A rate as reports show it; null where too few operations stand behind it.</summary>
    internal static double? Shown(double? perSecond, long operations) => operations < FewestForThroughput ? null : perSecond;

    /// <summary>From the call to the operation's own completion.</summary>
    public LatencySummary ServiceTime { get; init; } = LatencySummary.Empty;

    /// <summary>From the intended start to the operation's own completion.</summary>
    public LatencySummary ResponseTime { get; init; } = LatencySummary.Empty;

    /// <summary>From the operation's start to the end of the wave's drain: the definition that the reference used.</summary>
    public LatencySummary? LatencyToDrain { get; init; }

    /// <summary>Latencies by name: see <see cref="PhaseNames"/>.</summary>
    public IReadOnlyDictionary<string, LatencySummary> Phases { get; init; } = new Dictionary<string, LatencySummary>();

    /// <summary>
    /// The generator's own lag: from the moment when a call was due and a caller free, to the call. It does not include waits for
    /// busy callers. Null in a result of a version that did not record it.
    /// </summary>
    public LatencySummary? GeneratorLag { get; init; }

    /// <summary>The evidence, in one sentence, that more was offered than could be completed; null without such evidence.</summary>
    public string? Saturation { get; init; }

    /// <summary>Why nothing that it left was verified; null where it was.</summary>
    public string? Unverified { get; init; }

    /// <summary>How long after its due time a delayed signal was handled; null where nothing was delayed.</summary>
    public LatencySummary? Lateness { get; init; }

    public Drain? Drain { get; init; }

    public IReadOnlyList<VerificationCheck> Verification { get; init; } = [];

    public Timeline? Timeline { get; init; }

    /// <summary>Intervals and trends of a scenario that lasts for a fixed time; null for others.</summary>
    public SoakResult? Soak { get; init; }

    /// <summary>Paths of the raw histograms by phase, relative to the run folder.</summary>
    public IReadOnlyDictionary<string, string> Histograms { get; init; } = new Dictionary<string, string>();

    /// <summary>The path of the response times by interval, relative to the run folder; null when there are none.</summary>
    public string? IntervalHistograms { get; init; }

    /// <summary>
    /// What this process did in the measured window and the drain, by metric name: processor time and allocations of engine and load
    /// generator together, garbage collections, memory, and the counters of the workers. Host processes are added.
    /// </summary>
    public IReadOnlyDictionary<string, MetricValue> EngineMetrics { get; init; } = new Dictionary<string, MetricValue>();

    /// <summary>The processes, each by itself, where processes of their own hosted the workflows; null where this process did.</summary>
    public HostedProcesses? Processes { get; init; }

    /// <summary>What the database did during the same time, by metric name, for instance <c>commits</c>.</summary>
    public IReadOnlyDictionary<string, MetricValue> DatabaseMetrics { get; init; } = new Dictionary<string, MetricValue>();

    /// <summary>What the engine's database sessions waited for, the longest first; empty where the database does not report it.</summary>
    public IReadOnlyList<ServerWait> TopWaits { get; init; } = [];

    /// <summary>Why waits are missing or incomplete.</summary>
    public string? WaitsMissing { get; init; }

    /// <summary>
    /// The most expensive statements of the database, in descending order; empty where the database does not report them.
    /// </summary>
    public IReadOnlyList<ServerStatement> TopStatements { get; init; } = [];

    /// <summary>Why there are no statements.</summary>
    public string? StatementsMissing { get; init; }

    /// <summary>The cost of collecting these figures; null when nothing was collected.</summary>
    public CollectorCost? Collectors { get; init; }

    /// <summary>The costs among <see cref="EngineMetrics"/> and <see cref="DatabaseMetrics"/>, divided by completed operations.</summary>
    public IReadOnlyDictionary<string, MetricValue> CostPerOperation { get; init; } = new Dictionary<string, MetricValue>();
}

/// <summary>How one scenario ended.</summary>
public enum ScenarioStatus
{
    /// <summary>All operations completed and every check passed.</summary>
    Passed,

    /// <summary>It ran, but a check failed; it has reasons and no throughput.</summary>
    Failed,

    /// <summary>It was stopped before its end.</summary>
    Aborted,

    /// <summary>It did not run; the reason is given.</summary>
    NotMeasured,
}

/// <summary>The time from the last completion until the queue was idle, in milliseconds. No latency or throughput includes it.</summary>
public sealed record Drain(double DurationMs);

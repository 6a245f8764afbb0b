namespace Serdica.Perf.Results.LoadTests;

/// <summary>The result of one step of a load test. It is complete before any writer sees it.</summary>
public sealed record StepResult
{
    /// <summary>The step's name, with the number of the repeat where there are several: <c>steady #2</c>.</summary>
    public required string Name { get; init; }

    /// <summary>The number of the repeat, from 1.</summary>
    public int Repeat { get; init; } = 1;

    public required LoadKind Kind { get; init; }

    public StepVerdict Verdict { get; init; }

    /// <summary>Why the step did not pass, one sentence for each reason.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>How it kept its thresholds, in the order of the profile.</summary>
    public IReadOnlyList<ThresholdResult> Thresholds { get; init; } = [];

    /// <summary>The evidence for which a broken threshold ended the test during this step; null for a step that was not ended.</summary>
    public string? EndedEarly { get; init; }

    /// <summary>The checks of the database that failed; <see cref="Reasons"/> has them as sentences.</summary>
    public IReadOnlyList<VerificationCheck> FailedChecks { get; init; } = [];

    /// <summary>The name of the step in <c>summary.json</c>, which has all its statistics.</summary>
    public required string Scenario { get; init; }

    /// <summary>
    /// The requested rate in operations a second, for a wave its mean; null for a closed step, a burn-down and a swinging backlog,
    /// which have no rate to hold.
    /// </summary>
    public double? TargetPerSecond { get; init; }

    /// <summary>Arrivals of the schedule over its duration, a second. With random arrivals they differ a little from the target.</summary>
    public double? OfferedPerSecond { get; init; }

    /// <summary>Started operations a second, over the duration or until the last start, whichever is longer.</summary>
    public required double StartedPerSecond { get; init; }

    /// <summary>Completed operations a second, over the duration or until the last completion, whichever is longer.</summary>
    public required double CompletedPerSecond { get; init; }

    /// <summary>Bytes of events a second, or of states where a start triggers the work; null when they are unknown.</summary>
    public double? BytesPerSecond { get; init; }

    /// <summary>The time in which operations were to be started; shorter where the operations ran out before.</summary>
    public required double PlannedSeconds { get; init; }

    /// <summary>From the start of the step to its last completion.</summary>
    public required double ElapsedSeconds { get; init; }

    /// <summary>From the last start, or the planned end if that is later, until nothing was left or the drain limit had passed.</summary>
    public required double DrainSeconds { get; init; }

    /// <summary>Whether operations were left when the drain limit had passed.</summary>
    public bool DrainLimitReached { get; init; }

    public required StepCounts Counts { get; init; }

    public required LatencySummary Response { get; init; }

    public required LatencySummary Service { get; init; }

    /// <summary>From the intended start to the failure of operations that failed. No other latency includes them.</summary>
    public LatencySummary UntilFailure { get; init; } = LatencySummary.Empty;

    public required LatencySummary ScheduleLag { get; init; }

    public required LatencySummary GeneratorLag { get; init; }

    /// <summary>How long signals were due before a worker claimed them; empty where there were no signals.</summary>
    public LatencySummary QueueTime { get; init; } = LatencySummary.Empty;

    /// <summary>The number of callers at the start.</summary>
    public required int MinUsers { get; init; }

    /// <summary>The largest number of callers that was allowed.</summary>
    public int MaxUsers { get; init; }

    /// <summary>The largest number of callers that were busy at the same time.</summary>
    public required int PeakUsers { get; init; }

    /// <summary>Instances, signals and messages of earlier steps that were left when this step started; 0 is clean.</summary>
    public long Contamination { get; init; }

    /// <summary>Vacuum and checkpoint work that was put off before and after the step; null where the database reports none.</summary>
    public StepDebt? Debt { get; init; }

    /// <summary>How the backlog swung; null for steps without backlog bounds.</summary>
    public OscillationFigures? Oscillation { get; init; }

    /// <summary>Whether the rate alternated between two values.</summary>
    public bool Alternates { get; init; }

    /// <summary>
    /// The evidence, in one sentence, that more was offered than could be completed: a growing backlog, arrivals that were not
    /// started, or a missed rate. Null without such evidence; the step is then limited by its schedule.
    /// </summary>
    public string? Saturation { get; init; }

    /// <summary>Why the results of the step were not verified; null when they were.</summary>
    public string? Unverified { get; init; }

    /// <summary>Whether the step was stopped early because its load could not be sustained.</summary>
    public bool GivenUp { get; init; }

    /// <summary>Whether a closed step ended early because its workflow has a limited number of operations and all were started.</summary>
    public bool UsedUp { get; init; }

    /// <summary>Whether the generator itself was late, so that the figures describe the generator.</summary>
    public bool GeneratorLimited { get; init; }

    /// <summary>The layer that set the limit, or <c>unknown</c>; null for a passed step.</summary>
    public string? LimitedBy { get; init; }

    /// <summary>The figures that support <see cref="LimitedBy"/>.</summary>
    public string? LimitEvidence { get; init; }

    public IReadOnlyList<OperationError> Errors { get; init; } = [];

    /// <summary>The kinds of operations of a mix, in the order of the profile; empty without a mix.</summary>
    public IReadOnlyList<KindFigures> Kinds { get; init; } = [];

    /// <summary>Commits of the server for each operation; null where the server does not report them.</summary>
    public double? CommitsPerOperation { get; init; }

    /// <summary>Version conflicts for each operation; null where nothing completed. Each conflict was retried.</summary>
    public double? ConflictsPerOperation { get; init; }

    /// <summary>Claims that found nothing, for each operation; null where nothing completed, and in results without the figure.</summary>
    public double? EmptyClaimsPerOperation { get; init; }

    /// <summary>What each host process used and did, by number; empty when the host ran in the process of the generator.</summary>
    public IReadOnlyList<HostFigures> Hosts { get; init; } = [];

    public IReadOnlyList<ResourceFigures> Resources { get; init; } = [];

    public ReadFigures? Reads { get; init; }

    /// <summary>Backlog and response times of an open step, in equal intervals to its planned end; empty for other steps.</summary>
    public IReadOnlyList<BacklogPoint> Backlog { get; init; } = [];

    /// <summary>Whether backlog and response times grew; null where it was not judged.</summary>
    public StepGrowth? Growth { get; init; }

    /// <summary>Paths of the raw histograms by phase, relative to the run folder.</summary>
    public IReadOnlyDictionary<string, string> Histograms { get; init; } = new Dictionary<string, string>();

    /// <summary>The throughput that reports show: null where too few operations completed.</summary>
    internal double? ShownPerSecond => ScenarioResult.Shown(CompletedPerSecond, Counts.Completed);

    /// <summary>Whether a scenario of the run is this step.</summary>
    public bool IsOf(ScenarioResult scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return scenario.Name == Scenario && scenario.Parameters.Repeat == Repeat;
    }
}

/// <summary>The verdict on a step.</summary>
public enum StepVerdict
{
    /// <summary>Every operation is accounted for, none failed, the rate was held and every threshold was kept.</summary>
    Passed,

    /// <summary>
    /// Every operation completed and every threshold was kept, with reservations about the figures; the reasons say which.
    /// </summary>
    Degraded,

    /// <summary>Operations failed, were lost or were left over, the rate was missed, or a threshold was broken.</summary>
    Failed,
}

/// <summary>The operations of one kind in a mix.</summary>
/// <param name="Name">The kind.</param>
/// <param name="Weight">Its weight in the mix.</param>
/// <param name="Started">Operations that were started.</param>
/// <param name="Completed">Operations that completed.</param>
/// <param name="Failed">Operations that failed.</param>
/// <param name="CompletedPerSecond">Completed operations a second, over the time of the whole step.</param>
/// <param name="Response">From the intended start to the completion.</param>
/// <param name="Service">From the call to the completion.</param>
public sealed record KindFigures(
    string Name,
    double Weight,
    long Started,
    long Completed,
    long Failed,
    double CompletedPerSecond,
    LatencySummary Response,
    LatencySummary Service
)
{
    /// <inheritdoc cref="StepResult.ShownPerSecond"/>
    internal double? ShownPerSecond => ScenarioResult.Shown(CompletedPerSecond, Completed);
}

/// <summary>How a step kept a threshold.</summary>
/// <param name="Threshold">As it is typed: <c>responseTime:p99 &lt;= 50ms</c>.</param>
/// <param name="Value">Milliseconds for a time, 0 to 1 for a share, otherwise the metric's own unit; null without a figure.</param>
/// <param name="Shown">The value with its unit, for people; null without a figure.</param>
/// <param name="Held">Whether it was kept. A threshold without a figure was not.</param>
/// <param name="Missing">Why there is no figure.</param>
public sealed record ThresholdResult(string Threshold, double? Value, string? Shown, bool Held, string? Missing = null);

/// <summary>How a backlog swung.</summary>
/// <param name="Cycles">The number of times that the upper bound was reached.</param>
/// <param name="PeakBacklog">The largest number of operations that had arrived and not ended.</param>
public sealed record OscillationFigures(int Cycles, int PeakBacklog);

/// <summary>Whether an open step was stable: Theil-Sen slopes over the step without its ramp-in.</summary>
/// <param name="RampInSeconds">The first part of the step in seconds, which is not judged.</param>
/// <param name="Backlog">The slope of the backlog, in operations a second.</param>
/// <param name="Response">The slope of the mean response time, in milliseconds a second.</param>
/// <param name="Left">Unfinished arrivals at the planned end, beyond the largest backlog of the first half; 0 is none.</param>
public sealed record StepGrowth(double RampInSeconds, Trend Backlog, Trend Response, double Left);

/// <summary>Reads that ran beside the operations of a step.</summary>
/// <param name="TargetPerSecond">The requested rate.</param>
/// <param name="AchievedPerSecond">Completed and failed reads a second, over the step's duration or until the last read, whichever is
/// longer.</param>
/// <param name="Completed">Successful reads.</param>
/// <param name="Failed">Failed reads.</param>
/// <param name="Latency">Response time, from the intended start.</param>
/// <param name="Offered">Arrivals of the schedule, which differ a little from the target when they are random.</param>
public sealed record ReadFigures(
    double TargetPerSecond,
    double AchievedPerSecond,
    long Completed,
    long Failed,
    LatencySummary Latency,
    long Offered = 0
);

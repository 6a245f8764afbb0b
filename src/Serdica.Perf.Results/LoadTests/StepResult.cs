using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Results.LoadTests;

/// <summary>One step of a load test. Complete before a writer sees it.</summary>
public sealed record StepResult
{
    /// <summary>With the number of the repeat where there are several, <c>steady #2</c>.</summary>
    public required string Name { get; init; }

    /// <summary>Which repeat, from 1.</summary>
    public int Repeat { get; init; } = 1;

    public required LoadKind Kind { get; init; }

    public StepVerdict Verdict { get; init; }

    /// <summary>One sentence each: why it is not passed.</summary>
    public IReadOnlyList<string> Reasons { get; init; } = [];

    /// <summary>What was found wrong in the database; <see cref="Reasons"/> has them as sentences.</summary>
    public IReadOnlyList<VerificationCheck> FailedChecks { get; init; } = [];

    /// <summary>The name of the step in <c>summary.json</c>, where all its statistics are.</summary>
    public required string Scenario { get; init; }

    /// <summary>What was asked for, of a wave its mean; null of a closed step, a burn-down and a backlog that swings, whose rate is not to be held.</summary>
    public double? TargetPerSecond { get; init; }

    /// <summary>Arrivals of the schedule over its duration: random ones are never quite the target.</summary>
    public double? OfferedPerSecond { get; init; }

    /// <summary>Begun operations over the duration, or over the time to the last begin where that is longer.</summary>
    public required double StartedPerSecond { get; init; }

    /// <summary>Completed operations over the duration, or over the time to the last completion where that is longer.</summary>
    public required double CompletedPerSecond { get; init; }

    /// <summary>The same in payload; null of a workflow whose payload is not known.</summary>
    public double? BytesPerSecond { get; init; }

    /// <summary>How long operations were to be begun; where they were used up sooner, until then.</summary>
    public required double PlannedSeconds { get; init; }

    /// <summary>From the begin to the last completion.</summary>
    public required double ElapsedSeconds { get; init; }

    /// <summary>From the last begin, or the planned end where that is later, until nothing was left or the limit had passed.</summary>
    public required double DrainSeconds { get; init; }

    /// <summary>Whether something was left when the limit had passed.</summary>
    public bool DrainLimitReached { get; init; }

    public required StepCounts Counts { get; init; }

    public required LatencySummary Response { get; init; }

    public required LatencySummary Service { get; init; }

    /// <summary>Of operations that failed, which are in no other latency: from the intended start to the failure.</summary>
    public LatencySummary UntilFailure { get; init; } = LatencySummary.Empty;

    public required LatencySummary ScheduleLag { get; init; }

    public required LatencySummary GeneratorLag { get; init; }

    /// <summary>How long signals were due before a worker claimed them; empty where there were none.</summary>
    public LatencySummary QueueTime { get; init; } = LatencySummary.Empty;

    /// <summary>Users at the begin.</summary>
    public required int MinUsers { get; init; }

    /// <summary>How many there might have been.</summary>
    public int MaxUsers { get; init; }

    /// <summary>In use at once, at most.</summary>
    public required int PeakUsers { get; init; }

    /// <summary>Instances, signals and messages of earlier steps that were left when this one began; 0 is clean.</summary>
    public long Contamination { get; init; }

    /// <summary>Of a backlog that was to swing; null of other steps.</summary>
    public OscillationFigures? Oscillation { get; init; }

    /// <summary>Whether its rate alternated between two.</summary>
    public bool Alternates { get; init; }

    /// <summary>
    /// One sentence on the evidence that more was offered than could be done: a backlog that grew, arrivals that were not
    /// begun, a rate that was missed. Null of a step without such evidence, which is limited by its schedule.
    /// </summary>
    public string? Saturation { get; init; }

    /// <summary>Why nothing that it left was verified; null of a step that was.</summary>
    public string? Unverified { get; init; }

    /// <summary>Whether it was ended early, since it could not be held.</summary>
    public bool GivenUp { get; init; }

    /// <summary>Whether a closed step ended before its time, because its workflow has a bounded number of operations and all were begun.</summary>
    public bool UsedUp { get; init; }

    /// <summary>Whether the generator was late by itself, so that the figures are its own.</summary>
    public bool GeneratorLimited { get; init; }

    /// <summary>The layer that set the limit, or <c>unknown</c>; null of a passed step.</summary>
    public string? LimitedBy { get; init; }

    /// <summary>The figures behind it.</summary>
    public string? LimitEvidence { get; init; }

    public IReadOnlyList<StepError> Errors { get; init; } = [];

    /// <summary>Commits of the server for each operation; null where it does not tell.</summary>
    public double? CommitsPerOperation { get; init; }

    /// <summary>Version conflicts, all repeated, for each operation.</summary>
    public double ConflictsPerOperation { get; init; }

    public IReadOnlyList<ResourceFigures> Resources { get; init; } = [];

    public ReadFigures? Reads { get; init; }

    /// <summary>Backlog and response times over an open step, in equal intervals to its planned end; empty of other steps.</summary>
    public IReadOnlyList<BacklogPoint> Backlog { get; init; } = [];

    /// <summary>Whether backlog and response times grew; null where it was not judged.</summary>
    public StepGrowth? Growth { get; init; }

    /// <summary>By phase, the path of the raw histogram relative to the run folder.</summary>
    public IReadOnlyDictionary<string, string> Histograms { get; init; } = new Dictionary<string, string>();

    /// <summary>Whether the scenario of a run is this step.</summary>
    public bool IsOf(ScenarioResult scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        return scenario.Name == Scenario && scenario.Parameters.Repeat == Repeat;
    }
}

/// <summary>What a step has shown.</summary>
public enum StepVerdict
{
    /// <summary>Every operation is accounted for, none failed, the rate was held and every objective kept.</summary>
    Passed,

    /// <summary>Every operation came right and every objective was kept, but the figures deserve a doubt; the reasons say which.</summary>
    Degraded,

    /// <summary>Operations failed, were lost or left behind, the rate was missed, or an objective was not kept.</summary>
    Failed,
}

/// <summary>How a backlog swung.</summary>
/// <param name="Cycles">How often its upper bound was reached.</param>
/// <param name="PeakBacklog">Operations that had arrived and not ended, at most.</param>
public sealed record OscillationFigures(int Cycles, int PeakBacklog);

/// <summary>Whether an open step would have gone on as it was: slopes by Theil and Sen over the step without its ramp-in.</summary>
/// <param name="RampInSeconds">The start of the step, which is not judged.</param>
/// <param name="Backlog">Operations a second by which the backlog changed.</param>
/// <param name="Response">Milliseconds a second by which the mean response time changed.</param>
/// <param name="Left">Arrivals at the planned end that had not ended, beyond the largest backlog of the first half; 0 is none.</param>
public sealed record StepGrowth(double RampInSeconds, Trend Backlog, Trend Response, double Left);

/// <summary>Reads beside the operations of a step.</summary>
/// <param name="TargetPerSecond">What was asked for.</param>
/// <param name="AchievedPerSecond">Reads that ended, over the step's duration or the time to the last of them where that is longer.</param>
/// <param name="Completed">How many came right.</param>
/// <param name="Failed">How many did not.</param>
/// <param name="Latency">From the intended start.</param>
/// <param name="Offered">Arrivals of their schedule: random ones are never quite the target.</param>
public sealed record ReadFigures(
    double TargetPerSecond, double AchievedPerSecond, long Completed, long Failed, LatencySummary Latency, long Offered = 0);

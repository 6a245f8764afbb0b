using System.Security.Cryptography;

namespace Serdica.Perf.Measurement.Running;

/// <summary>Assembles results: of a scenario, of a step of a load test and of a bare queue.</summary>
internal static class ScenarioResults
{
    /// <summary>The result before anything is measured.</summary>
    public static ScenarioResult Blank(Scenario scenario, string backend, ScenarioParameters parameters) =>
        new()
        {
            Name = ScenarioRunner.FullName(backend, scenario),
            Status = ScenarioStatus.NotMeasured,
            Scenario = scenario.Name,
            Backend = backend,
            Tier = scenario.Tier,
            Family = scenario.Family,
            Description = scenario.Description,
            Parameters = parameters,
        };

    public static Dictionary<string, LatencyHistogram> Histograms(OperationSet operations, LoadOutcome outcome, MeasuredWindow window)
    {
        var histograms = new Dictionary<string, LatencyHistogram>
        {
            [PhaseNames.ServiceTime] = outcome.ServiceTime,
            [PhaseNames.ResponseTime] = outcome.ResponseTime,
        };
        foreach (var (phase, histogram) in operations.Phases.Snapshot())
            histograms.Add(phase, histogram);
        if (window.QueueTime is { Count: > 0 } queueTime)
            histograms.Add(PhaseNames.QueueTime, queueTime);
        if (outcome.ScheduleLag is { } lag)
            histograms.Add(PhaseNames.ScheduleLag, lag);
        histograms.Add(PhaseNames.GeneratorLag, outcome.GeneratorLag);
        if (outcome.UntilFailure.Count > 0)
            histograms.Add(PhaseNames.UntilFailure, outcome.UntilFailure);
        return histograms;
    }

    public static ScenarioResult Of(
        ScenarioResult blank,
        Workload workload,
        WarmUp? warmUp,
        LoadOutcome outcome,
        CensusAudit audit,
        IntendedTrouble intended,
        IReadOnlyList<VerificationCheck> checks,
        IReadOnlyDictionary<string, LatencyHistogram> histograms,
        MeasuredWindow window,
        long drainEnd
    )
    {
        var failures = outcome
            .Errors.Concat(outcome.Stalled ? [outcome.WhyStalled] : [])
            .Concat(outcome.Imbalance is { } imbalance ? [imbalance] : [])
            .Concat(checks.Where(check => !check.Passed).Select(check => check.Failure))
            .ToArray();
        var ofHosts = window.Processes?.Troubles ?? [];
        if (failures.Length > 0)
            failures = [.. failures, .. workload.Troubles.Sentences(), .. ofHosts];
        return blank with
        {
            Parameters = blank.Parameters with
            {
                Engine = EngineSettings.WithWay(blank.Parameters.Engine, workload.IsDirect, workload.Backend.Capabilities.OneByOne),
            },
            Status = failures.Length == 0 ? ScenarioStatus.Passed : ScenarioStatus.Failed,
            FailureReasons = failures,
            EngineWarnings = failures.Length == 0 ? [.. workload.Troubles.SentencesOfDatabase(), .. ofHosts] : [],
            DefinitionHash = Hash(workload.Shape),
            Counts = Counts(outcome, audit, intended),
            Errors = outcome.ErrorsByCause,
            Intended = intended == IntendedTrouble.None ? null : intended,
            WarmUp = warmUp,
            DurationMs = outcome.Window.TotalMilliseconds,
            ServiceTime = outcome.ServiceTime.Summarize(),
            ResponseTime = outcome.ResponseTime.Summarize(),
            Phases = Phases(histograms),
            GeneratorLag = outcome.GeneratorLag.Summarize(),
            Lateness = histograms.GetValueOrDefault(PhaseNames.Lateness)?.Summarize(),
            Drain = new(Stopwatch.GetElapsedTime(outcome.EndTimestamp, drainEnd).TotalMilliseconds),
            Verification = checks,
            Timeline = outcome.Completed > 0 ? outcome.Timeline.Snapshot(outcome.Window) : null,
            EngineMetrics = window.Engine,
            Processes = window.Processes,
            DatabaseMetrics = window.Database,
            TopWaits = window.TopWaits,
            WaitsMissing = window.WaitsMissing,
            TopStatements = window.TopStatements,
            StatementsMissing = window.StatementsMissing,
            Collectors = window.Collectors,
            CostPerOperation = window.CostPer(outcome.Completed),
        };
    }

    /// <summary>The latencies that have no property of their own.</summary>
    public static Dictionary<string, LatencySummary> Phases(IReadOnlyDictionary<string, LatencyHistogram> histograms) =>
        histograms
            .Where(entry =>
                entry.Key is not (PhaseNames.ServiceTime or PhaseNames.ResponseTime or PhaseNames.Lateness or PhaseNames.GeneratorLag)
            )
            .ToDictionary(entry => entry.Key, entry => entry.Value.Summarize());

    private static OperationCounts Counts(LoadOutcome outcome, CensusAudit audit, IntendedTrouble intended)
    {
        var deadLetters = Math.Max(0, audit.DeadLetters - intended.DeadLetters);
        return new()
        {
            Started = outcome.Started,
            Completed = outcome.Completed,
            Failed = outcome.Failed,
            Running = Math.Max(0, outcome.Started - outcome.Completed - outcome.Failed - deadLetters),
            DeadLettered = deadLetters,
            Conflicts = audit.UnresolvedConflicts,
            Stuck = audit.After.Stuck,
            SignalsLeft = audit.SignalsLeft,
            Redeliveries = audit.Host.Conflicts + audit.Host.HandlerFailures,
            Late = outcome.Late,
            Dropped = outcome.Dropped,
        };
    }

    private static string Hash(string shape) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(shape)).AsSpan(0, 8));
}

/// <summary>One scenario, measured once.</summary>
/// <param name="Result">The complete result except for the paths of the histograms.</param>
internal sealed record ScenarioMeasurement(ScenarioResult Result, IReadOnlyDictionary<string, LatencyHistogram> Histograms)
{
    /// <summary>Response times by interval of completion; null when nothing completed.</summary>
    public IntervalHistograms? Intervals { get; init; }
}

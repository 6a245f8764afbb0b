namespace Serdica.Perf.Analysis.Limits;

/// <summary>
/// Determines what limited each scenario, from the use of processors and the waits of database sessions. Where the evidence is
/// too weak it reports an unknown limit, which is better than a guessed one.
/// </summary>
internal static class LimitAnalysis
{
    /// <summary>A cause must explain more than all others together.</summary>
    private const double DominantShare = 0.5;

    private const double IdleSessions = 0.5;

    /// <summary>Above this share of late arrivals, work waited.</summary>
    private const double TolerableLate = 0.01;

    /// <summary>With fewer waits, a share of one half is uncertain by 0.1 or more: <see cref="WaitProfile.LeastShare"/>.</summary>
    private const long FewestWaits = 100;

    /// <summary>
    /// One finding for each scenario that puts load on a database: for the typical repeat, with the evidence of all repeats.
    /// </summary>
    public static IReadOnlyList<LimitFinding> Of(RunResult run)
    {
        return
        [
            .. TypicalRepeat
                .Of(run.Scenarios)
                .Where(scenario =>
                    scenario is { Status: ScenarioStatus.Passed, Lateness: null, Parameters.Load: not LoadModel.Serial }
                    && !IsCorrectnessOnly(scenario)
                    && !run.Databases.Any(database => database.IsInProcess && database.Backend == scenario.Backend)
                )
                .Select(scenario => Judge(run, PooledRepeats.Of(scenario, run.Scenarios)) with { Scenario = scenario }),
        ];
    }

    /// <summary>
    /// The finding that stands for a backend: a known limit before an unknown one, one with all evidence before one with some,
    /// the full round trip before parts of it, then the highest throughput.
    /// </summary>
    public static LimitFinding? Strongest(IEnumerable<LimitFinding> findings) =>
        findings
            .OrderByDescending(finding => finding.Limit is not (Limit.Unknown or Limit.Schedule))
            .ThenByDescending(finding => finding.Limit != Limit.Unknown)
            .ThenByDescending(finding => finding.Processors is not null)
            .ThenByDescending(finding => finding.Scenario.Family == ScenarioFamilies.SignalRoundtrip)
            .ThenByDescending(finding => finding.Scenario.ThroughputPerSecond)
            .FirstOrDefault();

    /// <summary>A smoke test has a handful of operations, unless somebody asked for more.</summary>
    private static bool IsCorrectnessOnly(ScenarioResult scenario) => scenario.Tier == Tiers.Smoke && scenario.ShownPerSecond is null;

    private static LimitFinding Judge(RunResult run, ScenarioResult scenario)
    {
        var processors = ProcessorUse.Of(run.Environment, run.Databases, scenario);
        var waits = WaitProfile.Of(scenario);
        var harness = run.Warnings.FirstOrDefault(warning =>
            warning.Scenario == scenario.Name && warning.Code is WarningCodes.GeneratorLimited or WarningCodes.HarnessLimited
        );
        var (limit, evidence) = harness is not null
            ? (Limit.Harness, harness.Sentence)
            : FromProcessors(processors, run.Warnings.Any(warning => warning.Code == WarningCodes.BusyMachine))
                ?? FromSchedule(scenario, processors, waits)
                ?? FromWaits(scenario, waits, processors, run.Environment)
                ?? (Limit.Unknown, Missing(scenario, processors, waits));
        return new(scenario, limit, evidence, processors, waits);
    }

    private static (Limit, string)? FromProcessors(ProcessorUse? use, bool isBusyMachine)
    {
        if (use?.IsDatabaseFull() == true && !use.IsFull())
            return (
                Limit.DatabaseProcessors,
                Invariant($"The database used {use.Database:0.00} of the {use.DatabaseCores:0.##} ")
                    + (use.DatabaseCores is 1.0 ? "core" : "cores")
                    + Invariant($" that it may use; {use.Machine:0.00} of {use.MachineCores} were busy.")
            );
        if (use is not { Machine: { } busy } || !use.IsFull())
            return null;

        var limit = use.Others switch
        {
            null when isBusyMachine => Limit.Unknown,
            { } others when others > busy * DominantShare => Limit.Others,
            _ => Limit.Processors,
        };
        return (limit, Busy(use).TrimStart());
    }

    /// <summary>
    /// A scheduled load that was sustained says nothing about a limit. A share of the time in which sessions were active is not
    /// saturation: most of a short time is a short time.
    /// </summary>
    private static (Limit, string)? FromSchedule(ScenarioResult scenario, ProcessorUse? processors, WaitProfile? waits)
    {
        if (scenario.Parameters.Load != LoadModel.Open || IsSaturated(scenario))
            return null;

        var sessions = waits is null ? "" : Invariant($" {waits.ActiveSessions:0.00} sessions of the engine were active on average.");
        return (
            Limit.Schedule,
            $"No sign of saturation: no arrival was dropped, and nothing shows that work piled up.{Busy(processors)}{sessions}"
        );
    }

    /// <summary>Dropped arrivals, and late ones that the generator did not cause, waited for something that could not keep up.</summary>
    private static bool IsSaturated(ScenarioResult scenario)
    {
        var counts = scenario.Counts;
        return scenario.Saturation is not null
            || counts.Dropped > 0
            || (counts.Late > TolerableLate * counts.Started && !GeneratorLimit.IsOf(scenario));
    }

    private static (Limit, string)? FromWaits(
        ScenarioResult scenario,
        WaitProfile? waits,
        ProcessorUse? processors,
        EnvironmentFingerprint environment
    )
    {
        if (waits is null || waits.Count < FewestWaits)
            return null;
        var room = Busy(processors) + Flushes(scenario, environment.Fsync);
        if (waits.ActiveSessions < IdleSessions)
            return (
                Limit.Callers,
                Invariant($"On average {waits.ActiveSessions:0.00} sessions of the engine were active in the database.") + room
            );
        if (waits.LargestShare < DominantShare || Cause(waits.Largest, processors) is not var (limit, spent))
            return null;

        var share =
            Invariant($"{waits.LargestShare * 100:0} % of the active time of the engine's sessions ({waits.ActiveSessions:0.00} at a ")
            + Invariant($"time, {waits.Count:N0} samples) was spent {spent}");
        if (Slack(scenario, waits) is { } slack)
            return (Limit.Unknown, $"{share}, {slack}: that does not show a limit.{room}");
        if (waits.LeastShare < DominantShare)
            return (Limit.Unknown, $"{share}, which may be less than half of it.{room}");

        var saturation = scenario.Saturation is { } sentence ? $" {sentence}" : "";
        var cost = limit == Limit.LogFlush ? FlushCost(environment.Fsync) : "";
        return (limit, $"{share}.{cost}{saturation}{room}");
    }

    /// <summary>The limit that most of the active time would show, and what it was spent on; null when that is no cause.</summary>
    private static (Limit Limit, string Spent)? Cause(WaitCategory largest, ProcessorUse? processors) =>
        largest switch
        {
            WaitCategory.LogFlush => (Limit.LogFlush, "on the log"),
            WaitCategory.Storage => (Limit.Storage, "on reading and writing data"),
            WaitCategory.Contention => (Limit.Contention, "on locks and latches"),
            WaitCategory.Processor when processors?.Machine is not null => (Limit.Statements, "running, while processors were free"),
            _ => null,
        };

    /// <summary>
    /// Why the largest share is no saturation: most of a short time is a short time. The log is flushed once at a time, so that the
    /// time of all flushes is the part of the window in which it was busy; whatever else sessions spend their time on was busy at most
    /// as long as one of them did so. Null when it was busy for most of the window, and in a closed load, which nothing else shows
    /// to be saturated, nearly always.
    /// </summary>
    private static string? Slack(ScenarioResult scenario, WaitProfile waits)
    {
        var enough = scenario.Parameters.Load == LoadModel.Open ? DominantShare : ProcessorUse.FullShare;
        if (waits.LargestSessions < enough)
            return Invariant($"by {waits.LargestSessions:0.00} of them at a time");
        return
            waits.Largest == WaitCategory.LogFlush
            && scenario.DatabaseMetrics.GetValueOrDefault(MetricNames.WalSyncTime)?.Value / scenario.WatchedMs is { } flushing
            && flushing < enough
            ? Invariant($"which was flushed for {flushing * 100:0} % of the time")
            : null;
    }

    private static string Missing(ScenarioResult scenario, ProcessorUse? processors, WaitProfile? waits)
    {
        var use = processors switch
        {
            null => Invariant($"the window lasted {scenario.DurationMs:0} ms, too short to say who used the processors"),
            { Machine: null } => "the system does not report who used the processors",
            { Machine: { } busy } => Invariant($"{busy:0.00} of {processors.MachineCores} cores were busy"),
        };
        return waits switch
        {
            null => $"Not enough evidence: {use}, and the server reported no waits.",
            { Count: < FewestWaits } => Invariant($"Not enough evidence: {use}, and {waits.Count} samples of waits are too few."),
            { LargestShare: >= DominantShare } => $"Not enough evidence: {use}. What there is, of {Parts(waits)}.",
            _ => $"No kind had half of {Parts(waits)}; {use}.",
        };
    }

    /// <summary>What was left of the processors; empty when it is unknown.</summary>
    private static string Busy(ProcessorUse? use) =>
        use is { Machine: { } busy } ? Invariant($" {busy:0.00} of {use.MachineCores} cores were busy: {Parts(use)}.") : "";

    /// <summary>What was left of the disk, and how many operations shared a flush; empty when it is unknown.</summary>
    private static string Flushes(ScenarioResult scenario, FsyncProbeResult? fsync)
    {
        var seconds = scenario.WatchedMs / 1_000;
        if (scenario.DatabaseMetrics.GetValueOrDefault(MetricNames.WalSyncs)?.Value is not ({ } flushes and > 0) || seconds <= 0)
            return "";
        var each = scenario.Counts.Completed / flushes;
        var shared = each < 10 ? Invariant($"{each:0.0}") : Invariant($"{each:N0}");
        var disk = fsync is null
            ? ""
            : Invariant($"; the disk alone does {fsync.WritesPerSecond:N0} flushed writes of {fsync.BlockBytes / 1_024} KiB a second");
        return Invariant($" The log was flushed {flushes / seconds:N0} times a second, once for {shared} operations{disk}.");
    }

    private static string Parts(ProcessorUse use) =>
        use.Database is { } database
            ? Invariant($"engine and load generator {use.Engine:0.00}, database {database:0.00}, others {use.Others:0.00}")
            : Invariant(
                $"engine and load generator {use.Engine:0.00}, database and others {use.Machine - use.Engine:0.00}, not distinguished"
            );

    /// <summary>Shares of at least 0.1, so that a reader sees the candidates.</summary>
    private static string Parts(WaitProfile waits)
    {
        var parts = waits
            .Shares.Where(part => part.Share >= 0.1)
            .Select(part => Invariant($"{WaitCategories.Words(part.Category)} {part.Share * 100:0} %"));
        return Invariant($"the active time of the engine's sessions ({waits.ActiveSessions:0.00} at a time, {waits.Count:N0} samples): ")
            + string.Join(", ", parts);
    }

    private static string FlushCost(FsyncProbeResult? fsync) =>
        fsync is null
            ? ""
            : Invariant($" A flushed write takes {fsync.Latency.AverageMs:0.00} ms there on average (p50 {fsync.Latency.P50Ms:0.00}, ")
                + (
                    fsync.Latency.Shown().P99Ms is { } p99
                        ? Invariant($"p99 {p99:0.00} ms).")
                        : Invariant($"max {fsync.Latency.MaxMs:0.00} ms).")
                );
}

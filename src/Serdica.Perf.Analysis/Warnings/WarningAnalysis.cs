using Serdica.Perf.Analysis.Limits;
using Serdica.Perf.Analysis.Soak;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Finds reasons to distrust a run's figures. Pure; each method has one concern.</summary>
public static class WarningAnalysis
{
    /// <summary>
    /// A run is not steady when the rate in its last tenth is below this share of that in its first, or above the inverse.
    /// </summary>
    public const double SteadyTailRatio = 0.9;

    /// <summary>With fewer completions, the rate in a tenth of the run is chance.</summary>
    private const int FewestForSteadyState = 1_000;

    /// <summary>Above this share of late arrivals, the response times describe another load than the requested one.</summary>
    private const double TolerableLate = 0.01;

    /// <summary>With fewer samples a percentile is just the maximum.</summary>
    private static readonly (string Name, int Samples)[] PercentileNeeds =
        [("p90", 10), ("p95", 20), ("p99", 100), ("p99.9", 1_000)];

    /// <summary>When engine and generator use this share of their cores, the figures describe them and not the database.</summary>
    private const double HarnessProcessorShare = 0.9;

    /// <summary>From this share of the rate without a database, a measurement describes the harness and not the database.</summary>
    private const double HarnessShare = 0.8;

    /// <summary>The share of the machine's cores that others may use before it affects the figures.</summary>
    private const double OthersShare = 0.1;

    /// <summary>All warnings, each once; those about the whole run first.</summary>
    public static IReadOnlyList<RunWarning> Of(
        EnvironmentFingerprint environment, IReadOnlyList<DatabaseDescription> databases, IReadOnlyList<ScenarioResult> scenarios)
    {
        // Beside a database, the in-memory backend only measures the harness, and nobody reads its percentiles.
        var inProcess = databases.Where(database => database.IsInProcess).Select(database => database.Backend).ToHashSet();
        var onDatabases = scenarios.Where(scenario => !inProcess.Contains(scenario.Backend)).ToArray();
        var reported = onDatabases.Length > 0 ? onDatabases : scenarios;
        return
        [
            .. DebugBuild(environment.Runtime)
            .Concat(DebuggerAttached(environment.Runtime))
            .Concat(BusyMachine(environment))
            .Concat(databases.SelectMany(WeakDurability))
            .Concat(databases.SelectMany(MemoryFileSystem))
            .Concat(reported.SelectMany(scenario => LoadOfOthers(scenario, ProcessorUse.Of(environment, databases, scenario))))
            .Concat(reported.SelectMany(scenario => Undercounted(scenario, ProcessorUse.Of(environment, databases, scenario))))
            .Concat(scenarios.SelectMany(Unverified))
            .Concat(onDatabases.SelectMany(GeneratorLimited))
            .Concat(onDatabases.SelectMany(scenario => HarnessLimited(scenario, ProcessorUse.Of(environment, databases, scenario))))
            .Concat(HarnessOverhead.Of(databases, scenarios).SelectMany(HarnessLimited))
            .Concat(reported.SelectMany(StepDelay))
            .Concat(reported.SelectMany(FewSamples))
            .Concat(reported.SelectMany(NoSteadyState))
            .Concat(reported.SelectMany(SamplesMissing))
            .Concat(reported.SelectMany(UnwelcomeTrends))
            .Concat(reported.SelectMany(LoadNotHeld))
            .Concat(reported.SelectMany(EngineWarned))
            .Distinct(),
        ];
    }

    public static IEnumerable<RunWarning> DebugBuild(RuntimeDescription runtime)
    {
        if (runtime.EntryConfiguration == "Debug" || runtime.SuiteConfiguration == "Debug")
            yield return new(WarningCodes.DebugBuild, "This is a Debug build: its figures are too slow. Run with -c Release.");
    }

    public static IEnumerable<RunWarning> DebuggerAttached(RuntimeDescription runtime)
    {
        if (runtime.DebuggerAttached)
            yield return new(WarningCodes.DebuggerAttached, "A debugger was attached: its figures are too slow. Run without debugging.");
    }

    public static IEnumerable<RunWarning> BusyMachine(EnvironmentFingerprint environment)
    {
        if (environment.LoadAverageAtStart > environment.Machine.LogicalCores)
            yield return new(
                WarningCodes.BusyMachine,
                Invariant($"The load average was {environment.LoadAverageAtStart:0.0} on {environment.Machine.LogicalCores} cores before the run started: others were using the machine."));
    }

    /// <param name="scenario">The scenario that was measured at the time.</param>
    /// <param name="use">Null when it is unknown.</param>
    public static IEnumerable<RunWarning> LoadOfOthers(ScenarioResult scenario, ProcessorUse? use)
    {
        if (use is { Others: { } others } && others > OthersShare * use.MachineCores)
            yield return new(
                WarningCodes.BusyMachine,
                Invariant($"Others used {others:0.00} of {use.MachineCores} cores while {scenario.Name} was measured, beside engine and database."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> Unverified(ScenarioResult scenario)
    {
        if (scenario.Unverified is { } reason)
            yield return new(WarningCodes.Unverified, $"{scenario.Name} is UNVERIFIED: {reason}", scenario.Name);
    }

    /// <param name="scenario">The scenario that was measured at the time.</param>
    /// <param name="use">Null when it is unknown.</param>
    public static IEnumerable<RunWarning> Undercounted(ScenarioResult scenario, ProcessorUse? use)
    {
        if (use is { IsUndercounted: true })
            yield return new(
                WarningCodes.ProcessorsUndercounted,
                Invariant($"The system counted {use.Counted:0.00} busy cores while {scenario.Name} was measured, and engine and database alone used {use.Machine:0.00}: what others used is not known."),
                scenario.Name);
    }

    /// <param name="scenario">A scenario that used a database: in memory the generator is the limit by design.</param>
    public static IEnumerable<RunWarning> GeneratorLimited(ScenarioResult scenario)
    {
        if (GeneratorLimit.IsOf(scenario))
            yield return new(
                WarningCodes.GeneratorLimited,
                Invariant($"{scenario.Name} was limited by its load generator: the generator's own lag had a p99 of {scenario.GeneratorLag!.P99Ms:0.0} ms (bound {GeneratorLimit.LagMs} ms)."),
                scenario.Name);
    }

    /// <param name="scenario">A scenario that used a database: in memory the harness is the limit by design.</param>
    /// <param name="use">Null when it is unknown.</param>
    public static IEnumerable<RunWarning> HarnessLimited(ScenarioResult scenario, ProcessorUse? use)
    {
        if (use is { Engine: { } engine } && engine >= HarnessProcessorShare * use.Available)
            yield return new(
                WarningCodes.HarnessLimited,
                Invariant($"{scenario.Name} was limited by engine and load generator: they used {engine:0.00} of {use.Available:0.##} cores."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> HarnessLimited(HarnessOverhead overhead)
    {
        if (overhead.TimeShare >= HarnessShare)
            yield return new(
                WarningCodes.HarnessLimited,
                Invariant($"{overhead.Database.Name} ran at {overhead.TimeShare * 100:0} % of the rate without a database: it shows engine and load generator, not the database."),
                overhead.Database.Name);
    }

    public static IEnumerable<RunWarning> EngineWarned(ScenarioResult scenario) =>
        scenario.EngineWarnings.Select(sentence => new RunWarning(WarningCodes.EngineWarning, $"{scenario.Name} passed, but: {sentence}", scenario.Name));

    public static IEnumerable<RunWarning> WeakDurability(DatabaseDescription database)
    {
        var finding = database.Durability switch
        {
            Durability.Durable => null,
            Durability.LossOnCrash => "may lose its last acknowledged commits in a crash",
            Durability.NotDurable => "is not durable",
            _ => "did not report how durable it is",
        };
        if (finding is not null && !database.IsInProcess)
            yield return new(
                WarningCodes.WeakDurability,
                $"{database.Backend} {finding}, which is below the requested class (durable). Its figures are not comparable with those of a durable database.");
    }

    public static IEnumerable<RunWarning> MemoryFileSystem(DatabaseDescription database)
    {
        if (database.DataFileSystem is "tmpfs" or "ramfs")
            yield return new(
                WarningCodes.MemoryFileSystem,
                $"The data of {database.Backend} is on {database.DataFileSystem}, which is memory: a flush costs nothing there and nothing is durable.");
    }

    public static IEnumerable<RunWarning> StepDelay(ScenarioResult scenario)
    {
        if (scenario.Parameters.StepDelayMs is { } delay)
            yield return new(
                WarningCodes.StepDelay,
                Invariant($"{scenario.Name} was made slow on purpose: each operation slept {delay:0.###} ms in its last step (--step-delay)."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> FewSamples(ScenarioResult scenario)
    {
        var count = scenario.ServiceTime.Count;
        var weak = PercentileNeeds.Where(need => count < need.Samples).Select(need => need.Name).ToArray();
        if (scenario.Status == ScenarioStatus.Passed && count > 0 && weak.Length > 0)
            yield return new(
                WarningCodes.FewSamples,
                Invariant($"{scenario.Name} has {count} samples, too few for {string.Join(", ", weak)}: read the maximum instead."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> NoSteadyState(ScenarioResult scenario)
    {
        if (scenario.Status == ScenarioStatus.Passed
            && scenario.Timeline?.TailRatio is { } ratio
            && scenario.Family != ScenarioFamilies.Timers
            && scenario.Counts.Completed >= FewestForSteadyState
            && ratio is < SteadyTailRatio or > 1 / SteadyTailRatio)
            yield return new(
                WarningCodes.NoSteadyState,
                Invariant($"{scenario.Name} had no steady state: its last tenth ran at {ratio:0.00} of the rate of its first, so one throughput does not describe it."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> UnwelcomeTrends(ScenarioResult scenario) =>
        from series in scenario.Soak?.Series ?? []
        where scenario.Status == ScenarioStatus.Passed && series.IsFinding
        select new RunWarning(
            series.Unwelcome == TrendVerdict.Rising ? WarningCodes.RisingTrend : WarningCodes.FallingTrend,
            $"{scenario.Name}: {series.Name} was {SoakText.Trend(series)} over {Invariant($"{scenario.DurationMs / 1000:0}")} s.",
            scenario.Name);

    public static IEnumerable<RunWarning> LoadNotHeld(ScenarioResult scenario)
    {
        var counts = scenario.Counts;
        if (scenario.Status == ScenarioStatus.Passed && (counts.Dropped > 0 || counts.Late > TolerableLate * counts.Started))
            yield return new(
                WarningCodes.LoadNotHeld,
                Invariant($"{scenario.Name} did not hold its rate: of {counts.Started + counts.Dropped:#,0} arrivals {counts.Late:#,0} started late and {counts.Dropped:#,0} never, because no caller was free or the generator itself was late."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> SamplesMissing(ScenarioResult scenario)
    {
        if (scenario.Collectors is { Failed: > 0 } collectors)
            yield return new(
                WarningCodes.SamplesMissing,
                Invariant($"{collectors.Failed} of {collectors.Samples + collectors.Failed} samples of {scenario.Name} could not be taken, the first because: {collectors.Error}"),
                scenario.Name);
    }
}

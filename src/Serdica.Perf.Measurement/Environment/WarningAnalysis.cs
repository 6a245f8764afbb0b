using System.Globalization;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Environments;

/// <summary>Finds the reasons to distrust a run's figures. Pure; each method looks at one thing.</summary>
public static class WarningAnalysis
{
    /// <summary>A run whose last tenth is slower than this part of its first, or faster by as much, is not steady.</summary>
    public const double SteadyTailRatio = 0.9;

    /// <summary>Below this many completions the speed of a tenth of the run is chance.</summary>
    private const int FewestForSteadyState = 1_000;

    /// <summary>A percentile needs this many samples to be more than another name for the maximum.</summary>
    private static readonly (string Name, int Samples)[] PercentileNeeds =
        [("p90", 10), ("p95", 20), ("p99", 100), ("p99.9", 1_000)];

    /// <summary>All warnings, each once: those about the whole run first.</summary>
    public static IReadOnlyList<RunWarning> Of(
        EnvironmentFingerprint environment, IReadOnlyList<DatabaseDescription> databases, IReadOnlyList<ScenarioResult> scenarios) =>
        [.. DebugBuild(environment.Runtime)
            .Concat(DebuggerAttached(environment.Runtime))
            .Concat(BusyMachine(environment))
            .Concat(databases.SelectMany(WeakDurability))
            .Concat(databases.SelectMany(MemoryFileSystem))
            .Concat(scenarios.SelectMany(FewSamples))
            .Concat(scenarios.SelectMany(NoSteadyState))
            .Concat(scenarios.SelectMany(SamplesMissing))
            .Distinct()];

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
                Text($"The load average was {environment.LoadAverageAtStart:0.0} on {environment.Machine.LogicalCores} cores before the run began: others were using the machine."));
    }

    public static IEnumerable<RunWarning> WeakDurability(DatabaseDescription database)
    {
        var finding = database.Durability switch
        {
            Durability.Durable => null,
            Durability.LossOnCrash => "may lose its last acknowledged commits in a crash",
            Durability.NotDurable => "is not durable",
            _ => "did not tell how durable it is",
        };
        if (finding is not null)
            yield return new(
                WarningCodes.WeakDurability, $"{database.Backend} {finding}: its figures don't compare with those of a durable database.");
    }

    public static IEnumerable<RunWarning> MemoryFileSystem(DatabaseDescription database)
    {
        if (database.DataFileSystem is "tmpfs" or "ramfs")
            yield return new(
                WarningCodes.MemoryFileSystem,
                $"The data of {database.Backend} is on {database.DataFileSystem}, which is memory: a flush costs nothing there and nothing is durable.");
    }

    public static IEnumerable<RunWarning> FewSamples(ScenarioResult scenario)
    {
        var count = scenario.ServiceTime.Count;
        var weak = PercentileNeeds.Where(need => count < need.Samples).Select(need => need.Name).ToArray();
        if (scenario.Status == ScenarioStatus.Passed && count > 0 && weak.Length > 0)
            yield return new(
                WarningCodes.FewSamples,
                Text($"{scenario.Name} has {count} samples, too few for {string.Join(", ", weak)}: read the maximum instead."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> NoSteadyState(ScenarioResult scenario)
    {
        if (scenario.Status == ScenarioStatus.Passed
            && scenario.Timeline?.TailRatio is { } ratio
            && scenario.Counts.Completed >= FewestForSteadyState
            && ratio is < SteadyTailRatio or > 1 / SteadyTailRatio)
            yield return new(
                WarningCodes.NoSteadyState,
                Text($"{scenario.Name} had no steady state: its last tenth ran at {ratio:0.00} of the rate of its first, so one throughput does not describe it."),
                scenario.Name);
    }

    public static IEnumerable<RunWarning> SamplesMissing(ScenarioResult scenario)
    {
        if (scenario.Collectors is { Failed: > 0 } collectors)
            yield return new(
                WarningCodes.SamplesMissing,
                Text($"{collectors.Failed} of {collectors.Samples + collectors.Failed} samples of {scenario.Name} could not be taken, the first because: {collectors.Error}"),
                scenario.Name);
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

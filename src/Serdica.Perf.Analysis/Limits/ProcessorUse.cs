using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Limits;

/// <summary>Who used the processors while a scenario was measured and drained, in cores.</summary>
public sealed record ProcessorUse
{
    /// <summary>Processor time is counted in hundredths of a second, so a shorter window would show chance.</summary>
    private const double ShortestWindowMs = 500;

    /// <summary>Above this share of the cores there is nothing left to gain: the rest is scheduling.</summary>
    private const double FullShare = 0.85;

    /// <summary>What this process may use, by machine and control group.</summary>
    public required double Available { get; init; }

    public required int MachineCores { get; init; }

    /// <summary>This process: engine and load generator.</summary>
    public double? Engine { get; init; }

    /// <summary>The server's processes; null when they are on another machine or cannot be distinguished.</summary>
    public double? Database { get; init; }

    /// <summary>Everything on the machine.</summary>
    public double? Machine { get; init; }

    /// <summary>Neither engine nor database: other processes, the kernel's own work, and what a hypervisor took away.</summary>
    public double? Others => Machine - Engine - Database is { } rest ? Math.Max(0, rest) : null;

    /// <summary>Whether the machine has no processor time left; false where it is not known.</summary>
    public bool IsFull() => Machine >= FullShare * MachineCores;

    /// <summary>Null when the scenario has no trustworthy figures, or its window was too short for any.</summary>
    public static ProcessorUse? Of(EnvironmentFingerprint environment, IReadOnlyList<DatabaseDescription> databases, ScenarioResult scenario)
    {
        ArgumentNullException.ThrowIfNull(environment);
        ArgumentNullException.ThrowIfNull(scenario);
        var window = scenario.DurationMs + (scenario.Drain?.DurationMs ?? 0);
        if (scenario.Status != ScenarioStatus.Passed || window < ShortestWindowMs)
            return null;

        double? Cores(IReadOnlyDictionary<string, MetricValue> metrics, string name) => metrics.GetValueOrDefault(name)?.Value / window;
        return new()
        {
            MachineCores = environment.Machine.LogicalCores,
            Available = environment.AvailableCores,
            Engine = Cores(scenario.EngineMetrics, MetricNames.EngineCpu),
            Database = databases.Any(database => database.IsInProcess && database.Backend == scenario.Backend)
                ? 0
                : Cores(scenario.DatabaseMetrics, MetricNames.DatabaseCpu),
            Machine = Cores(scenario.EngineMetrics, MetricNames.MachineCpu),
        };
    }
}

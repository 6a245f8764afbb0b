using Serdica.Perf.Analysis.Capacity;

namespace Serdica.Perf.Analysis.Limits;

/// <summary>Who used the processors while a scenario was measured and drained, in cores.</summary>
internal sealed record ProcessorUse
{
    /// <summary>Processor time is counted in hundredths of a second, so a shorter window would show chance.</summary>
    private const double ShortestWindowMs = 500;

    /// <summary>Above this share of the cores nothing is left to gain: the rest is scheduling.</summary>
    public const double FullShare = 0.85;

    /// <summary>A share of the cores: clocks are read one after another, with a resolution of 10 ms.</summary>
    private const double UndercountedShare = 0.05;

    /// <summary>The cores that this process may use, by machine and control group.</summary>
    public required double Available { get; init; }

    public required int MachineCores { get; init; }

    /// <summary>The cores used by this process: engine and load generator.</summary>
    public double? Engine { get; init; }

    /// <summary>The cores used by the server's processes; null when they are on another machine or cannot be distinguished.</summary>
    public double? Database { get; init; }

    /// <summary>The cores used by everything on the machine, as counted by the system.</summary>
    public double? Counted { get; init; }

    /// <summary>The cores used by everything on the machine: as counted by the system, but never less than the known parts.</summary>
    public double? Machine => Counted is { } counted ? Math.Max(counted, (Engine ?? 0) + (Database ?? 0)) : null;

    /// <summary>
    /// The cores used by neither engine nor database: other processes, the kernel's own work, and time that a hypervisor took.
    /// </summary>
    public double? Others => Machine - Engine - Database;

    /// <summary>Whether the system counted clearly less than engine and database used, so that the rest is unknown.</summary>
    public bool IsUndercounted => Machine - Counted > UndercountedShare * MachineCores;

    /// <summary>Cores that a limit allows the database; null without a limit, or when it is unknown.</summary>
    public double? DatabaseCores { get; init; }

    /// <summary>Whether the database has used all that its limit allows, however idle the machine is.</summary>
    public bool IsDatabaseFull() => Database >= FullShare * DatabaseCores;

    /// <summary>Whether the machine has no processor time left; false when it is unknown.</summary>
    public bool IsFull() => Machine >= FullShare * MachineCores;

    /// <summary>Null when the scenario has no reliable figures, or its window was too short.</summary>
    public static ProcessorUse? Of(
        EnvironmentFingerprint environment,
        IReadOnlyList<DatabaseDescription> databases,
        ScenarioResult scenario
    )
    {
        var window = scenario.WatchedMs;
        if (scenario.Status != ScenarioStatus.Passed || window < ShortestWindowMs)
            return null;

        var database = databases.FirstOrDefault(database => database.Backend == scenario.Backend);
        double? Cores(IReadOnlyDictionary<string, MetricValue> metrics, string name) => metrics.GetValueOrDefault(name)?.Value / window;
        return new()
        {
            DatabaseCores = ServerSizes.Processors(database),
            MachineCores = environment.Machine.LogicalCores,
            Available = environment.AvailableCores,
            Engine = Cores(scenario.EngineMetrics, MetricNames.EngineCpu),
            Database = database switch
            {
                { IsInProcess: true } => 0,
                { IsElsewhere: true } => null,
                _ => Cores(scenario.DatabaseMetrics, MetricNames.DatabaseCpu),
            },
            Counted = Cores(scenario.EngineMetrics, MetricNames.MachineCpu),
        };
    }
}

namespace Serdica.Perf.Analysis.Capacity;

/// <summary>What more processors of the server bring: one scenario on servers of different sizes, smallest first.</summary>
/// <param name="Scenario">The name of the scenario, starting with the backend.</param>
internal sealed record ServerSizes(string Scenario, IReadOnlyList<ServerSize> Rungs)
{
    /// <summary>The setting of a database for the processors that its container may use.</summary>
    public const string ContainerProcessors = "container.cpus";

    /// <summary>The setting of a database for the processors that a local server is bound to.</summary>
    public const string BoundProcessors = "bound.cpus";

    /// <summary>Finds the scenarios that were measured on at least two servers with different processor limits.</summary>
    public static IReadOnlyList<ServerSizes> Of(IReadOnlyList<RunResult> runs)
    {
        return
        [
            .. from run in runs
            from scenario in TypicalRepeat.Of(run.Scenarios)
            let processors = Processors(run, scenario) ?? 0
            let perSecond = scenario.ShownPerSecond ?? 0
            where scenario.Status == ScenarioStatus.Passed && processors > 0 && perSecond > 0
            group new ServerSize(processors, perSecond, scenario.ResponseTime.Shown().P99Ms, run.RunId) by scenario.Name into sizes
            where sizes.DistinctBy(size => size.Processors).Count() > 1
            select new ServerSizes(sizes.Key, [.. sizes.OrderBy(size => size.Processors)]),
        ];
    }

    /// <summary>Throughput of a size relative to the smallest size.</summary>
    public double Gain(ServerSize size) => size.PerSecond / Rungs[0].PerSecond;

    /// <summary>The gain relative to the increase in processors: 1 is a gain in full proportion.</summary>
    public double Efficiency(ServerSize size) => Gain(size) / (size.Processors / Rungs[0].Processors);

    /// <summary>What a limit allows the server of a scenario; null where there is none.</summary>
    public static double? Processors(RunResult run, ScenarioResult scenario) =>
        Processors(run.Databases.FirstOrDefault(database => database.Backend == scenario.Backend));

    /// <summary>What a limit allows the server; null where there is none.</summary>
    internal static double? Processors(DatabaseDescription? database) =>
        database is not null
        && (database.Settings.GetValueOrDefault(ContainerProcessors) ?? database.Settings.GetValueOrDefault(BoundProcessors)) is { } text
        && double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var processors)
            ? processors
            : null;
}

/// <summary>One scenario on a server of one size.</summary>
/// <param name="PerSecond">Throughput in operations a second, of the typical repeat.</param>
/// <param name="P99Ms">p99 of its response times in milliseconds; null with too few operations.</param>
/// <param name="RunId">The name of the run with all details.</param>
internal sealed record ServerSize(double Processors, double PerSecond, double? P99Ms, string RunId);

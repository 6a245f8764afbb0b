using System.Globalization;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Capacity;

/// <summary>What more processors of the server brought: the same scenario on servers of different sizes, smallest first.</summary>
/// <param name="Scenario">With the backend in front.</param>
/// <param name="Rungs">Two or more.</param>
public sealed record ServerSizes(string Scenario, IReadOnlyList<ServerSize> Rungs)
{
    /// <summary>Setting of a database: processors that its container may use.</summary>
    public const string ContainerProcessors = "container.cpus";

    /// <summary>Setting of a database: processors that a local server is bound to.</summary>
    public const string BoundProcessors = "bound.cpus";

    /// <summary>Finds the scenarios that were measured on at least two servers with different processor limits.</summary>
    public static IReadOnlyList<ServerSizes> Of(IReadOnlyList<RunResult> runs)
    {
        ArgumentNullException.ThrowIfNull(runs);
        return
        [
            .. from run in runs
               from scenario in TypicalRepeat.Of(run.Scenarios)
               let processors = Processors(run.Databases.FirstOrDefault(database => database.Backend == scenario.Backend)) ?? 0
               let perSecond = scenario.ThroughputPerSecond ?? 0
               where scenario.Status == ScenarioStatus.Passed && processors > 0 && perSecond > 0
               group new ServerSize(processors, perSecond, scenario.ResponseTime?.P99Ms, run.RunId) by scenario.Name into sizes
               where sizes.Count() > 1
               select new ServerSizes(sizes.Key, [.. sizes.OrderBy(size => size.Processors)]),
        ];
    }

    /// <summary>Throughput of a size over that of the smallest.</summary>
    public double Gain(ServerSize size)
    {
        ArgumentNullException.ThrowIfNull(size);
        return size.PerSecond / Rungs[0].PerSecond;
    }

    /// <summary>The gain over what the processors grew by: 1 where they pay in full.</summary>
    public double Efficiency(ServerSize size) => Gain(size) / (size.Processors / Rungs[0].Processors);

    /// <summary>What a limit allows the server; null where there is none.</summary>
    internal static double? Processors(DatabaseDescription? database) =>
        database is not null
        && (database.Settings.GetValueOrDefault(ContainerProcessors) ?? database.Settings.GetValueOrDefault(BoundProcessors)) is { } text
        && double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var processors)
            ? processors
            : null;
}

/// <summary>One scenario on a server of one size.</summary>
/// <param name="Processors">That the server may use.</param>
/// <param name="PerSecond">Throughput; of repeats the typical one.</param>
/// <param name="P99Ms">Of its response times; null when it has none.</param>
/// <param name="RunId">Where all about it is.</param>
public sealed record ServerSize(double Processors, double PerSecond, double? P99Ms, string RunId);

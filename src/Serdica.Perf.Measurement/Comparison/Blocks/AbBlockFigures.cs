namespace Serdica.Perf.Measurement.Comparisons.Blocks;

/// <summary>The raw figures of a block.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Runs">In the order in which they were measured.</param>
public sealed record AbBlockFigures(int Number, IReadOnlyList<AbRunFigures> Runs)
{
    public static AbBlockFigures Of(AbBlock block)
    {
        ArgumentNullException.ThrowIfNull(block);
        return new(block.Number, [.. block.Runs.Select(run => new AbRunFigures(run.Side, run.Folder, Figures(run)))]);
    }

    private static Dictionary<string, IReadOnlyDictionary<string, double>> Figures(AbRun run) =>
        run.Result.Scenarios.ToDictionary(
            scenario => scenario.Scenario,
            scenario => (IReadOnlyDictionary<string, double>)ComparedMetric.Of([scenario])
                .Select(metric => (metric.Name, Value: metric.Read(scenario)))
                .Where(figure => figure.Value is not null)
                .ToDictionary(figure => figure.Name, figure => figure.Value!.Value));
}

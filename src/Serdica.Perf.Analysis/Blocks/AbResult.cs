using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Blocks;

/// <summary>Two sides that were measured in turn: the content of <c>ab.json</c>. Complete before a writer sees it.</summary>
public sealed record AbResult
{
    /// <summary>Rises when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>What to type to repeat it.</summary>
    public required string Command { get; init; }

    /// <summary>How ratio, interval and verdict were reckoned.</summary>
    public string Method { get; init; } = BlockComparer.Method;

    public required RunComparison Comparison { get; init; }

    /// <summary>Null when no gate was asked.</summary>
    public GateResult? Gate { get; init; }

    public required IReadOnlyList<AbBlockFigures> Blocks { get; init; }

    /// <summary>The ratio of candidate to base in each block, in their order; null where a run lacks the figure.</summary>
    public IEnumerable<double?> Ratios(string scenario, string metric) => Blocks.Select(block =>
    {
        var logarithms = block.Runs.Select(run =>
            run.Figures.GetValueOrDefault(scenario)?.TryGetValue(metric, out var value) == true
                ? Math.Log(value) * (run.Side == AbSide.Candidate ? 1 : -1)
                : (double?)null);
        return logarithms.Aggregate((double?)0, (sum, next) => sum + next) is { } sum ? (double?)Math.Exp(sum / (block.Runs.Count / 2)) : null;
    });
}

/// <summary>Four runs one after the other, two of each side: whatever drifts evenly meanwhile falls out of their ratio.</summary>
/// <param name="Number">From 1.</param>
/// <param name="Runs">In the order in which they were measured.</param>
public sealed record AbBlock(int Number, IReadOnlyList<AbRun> Runs)
{
    /// <summary>
    /// ABBA, and BAAB in every second block: each side is as often first as last, and in each half of a block both sides
    /// are once.
    /// </summary>
    public static IReadOnlyList<AbSide> Order(int number) => number % 2 == 1
        ? [AbSide.Base, AbSide.Candidate, AbSide.Candidate, AbSide.Base]
        : [AbSide.Candidate, AbSide.Base, AbSide.Base, AbSide.Candidate];
}

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

/// <summary>One side, measured once.</summary>
/// <param name="Side">Which one.</param>
/// <param name="Folder">Its run folder, relative to that of the comparison.</param>
/// <param name="Result">Each scenario once.</param>
public sealed record AbRun(AbSide Side, string Folder, RunResult Result);

/// <summary>The raw figures of one run of a block.</summary>
/// <param name="Side">Which one was measured.</param>
/// <param name="Folder">Its run folder, relative to that of the comparison.</param>
/// <param name="Figures">By scenario, then by metric.</param>
public sealed record AbRunFigures(AbSide Side, string Folder, IReadOnlyDictionary<string, IReadOnlyDictionary<string, double>> Figures);

/// <summary>Which of the two that are compared.</summary>
public enum AbSide
{
    Base,
    Candidate,
}

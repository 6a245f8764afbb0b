using Serdica.Perf.Analysis.Gates;

namespace Serdica.Perf.Analysis.Blocks;

/// <summary>The result of two sides measured in turn: the content of <c>ab.json</c>. It is complete before any writer sees it.</summary>
internal sealed record AbResult
{
    /// <summary>Incremented when a reader of the old shape would misunderstand the new one.</summary>
    public int SchemaVersion { get; init; } = 1;

    public required DateTimeOffset StartedAt { get; init; }

    public required DateTimeOffset FinishedAt { get; init; }

    /// <summary>The command that repeats the comparison.</summary>
    public required string Command { get; init; }

    /// <summary>How ratio, interval and verdict were calculated.</summary>
    public string Method { get; init; } = BlockComparer.Method;

    public required RunComparison Comparison { get; init; }

    /// <summary>Null when no gate was requested.</summary>
    public GateResult? Gate { get; init; }

    public required IReadOnlyList<AbBlockFigures> Blocks { get; init; }

    /// <summary>The names without backend under which figures are kept, in the order of the comparison's scenarios.</summary>
    public IEnumerable<string> BareNames() =>
        Blocks.SelectMany(block => block.Runs).Where(run => run.Side == AbSide.Base).SelectMany(run => run.Figures.Keys).Distinct();

    /// <summary>
    /// The ratio of candidate to base in each block, in block order; null where a run lacks the figure, and in all where a run has too
    /// few operations for it.
    /// </summary>
    public IEnumerable<double?> Ratios(string scenario, string metric)
    {
        // Both are in the order in which the runs of the base measured them.
        var compared = BareNames().Zip(Comparison.Scenarios).FirstOrDefault(pair => pair.First == scenario).Second;
        return compared?.Metrics.Any(judged => judged.Metric == metric && judged.HasTooFew) == true
            ? Blocks.Select(_ => (double?)null)
            : Blocks.Select(block => Ratio(block, scenario, metric));
    }

    private static double? Ratio(AbBlockFigures block, string scenario, string metric)
    {
        var logarithms = block.Runs.Select(run =>
            run.Figures.GetValueOrDefault(scenario)?.TryGetValue(metric, out var value) == true
                ? Math.Log(value) * (run.Side == AbSide.Candidate ? 1 : -1)
                : (double?)null
        );
        return logarithms.Aggregate((double?)0, (sum, next) => sum + next) is { } sum
            ? (double?)Math.Exp(sum / (block.Runs.Count / 2))
            : null;
    }
}

/// <summary>Four runs one after the other, two of each side. A linear drift cancels out of their ratio.</summary>
/// <param name="Number">The number of the block, from 1.</param>
/// <param name="Runs">The runs in the order of measurement.</param>
internal sealed record AbBlock(int Number, IReadOnlyList<AbRun> Runs)
{
    /// <summary>
    /// ABBA, and BAAB in every second block: each side is first as often as last, and each half of a block contains both sides
    /// once.
    /// </summary>
    public static IReadOnlyList<AbSide> Order(int number) =>
        number % 2 == 1
            ? [AbSide.Base, AbSide.Candidate, AbSide.Candidate, AbSide.Base]
            : [AbSide.Candidate, AbSide.Base, AbSide.Base, AbSide.Candidate];
}

/// <summary>The raw figures of a block.</summary>
/// <param name="Number">The number of the block, from 1.</param>
/// <param name="Runs">The runs in the order of measurement.</param>
internal sealed record AbBlockFigures(int Number, IReadOnlyList<AbRunFigures> Runs)
{
    public static AbBlockFigures Of(AbBlock block) =>
        new(block.Number, [.. block.Runs.Select(run => new AbRunFigures(run.Side, run.Folder, Figures(run)))]);

    private static Dictionary<string, IReadOnlyDictionary<string, double>> Figures(AbRun run) =>
        run.Result.Scenarios.ToDictionary(
            scenario => scenario.Scenario,
            scenario =>
                (IReadOnlyDictionary<string, double>)
                    ComparedMetric
                        .Of([scenario])
                        .Select(metric => (metric.Name, Value: metric.Read(scenario)))
                        .Where(figure => figure.Value is not null)
                        .ToDictionary(figure => figure.Name, figure => figure.Value!.Value)
        );
}

/// <summary>One side, measured once.</summary>
/// <param name="Result">The result, with each scenario once.</param>
internal sealed record AbRun(AbSide Side, string Folder, RunResult Result);

/// <summary>The raw figures of one run of a block.</summary>
/// <param name="Figures">Figures by scenario, then by metric.</param>
internal sealed record AbRunFigures(AbSide Side, string Folder, IReadOnlyDictionary<string, IReadOnlyDictionary<string, double>> Figures);

/// <summary>The two sides of a comparison.</summary>
internal enum AbSide
{
    Base,
    Candidate,
}

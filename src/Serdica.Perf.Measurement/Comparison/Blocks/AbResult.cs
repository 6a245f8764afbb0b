using Serdica.Perf.Measurement.Comparisons.Gates;

namespace Serdica.Perf.Measurement.Comparisons.Blocks;

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

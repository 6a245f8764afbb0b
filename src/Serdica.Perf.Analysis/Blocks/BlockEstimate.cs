using MathNet.Numerics.Statistics;
using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Analysis.Blocks;

/// <summary>The ratio of candidate to base from the ratios of blocks.</summary>
/// <remarks>
/// Blocks are independent of each other, and a linear drift cancels out of each. With fewer than eight blocks their spread is
/// not known well enough, so half blocks (pairs of one run of each side) give the degrees of freedom. The standard error is
/// then the larger of the two: a drift makes half blocks differ more, and a disturbance of a whole block makes blocks differ
/// more.
/// </remarks>
internal static class BlockEstimate
{
    /// <summary>With fewer blocks, half blocks count as samples.</summary>
    public const int FewestForBlocks = 8;

    /// <param name="halves">Logarithms of the ratios of half blocks, two for each block, in their order.</param>
    public static LogRatio Of(IReadOnlyList<double> halves)
    {
        var blocks = Blocks(halves);
        var error = StandardError(blocks);
        return blocks.Length >= FewestForBlocks
            ? new(blocks.Mean(), error, blocks.Length - 1)
            : new(blocks.Mean(), Math.Max(error, StandardError(halves)), halves.Count - 1);
    }

    /// <summary>The values whose signs the sign-flip test changes.</summary>
    /// <param name="halves">As for <see cref="Of"/>.</param>
    public static IReadOnlyList<double> Samples(IReadOnlyList<double> halves) =>
        Blocks(halves) is { Length: >= FewestForBlocks } blocks ? blocks : halves;

    private static double[] Blocks(IReadOnlyList<double> halves) => [.. halves.Chunk(2).Select(block => block.Average())];

    private static double StandardError(IReadOnlyList<double> values) => values.StandardDeviation() / Math.Sqrt(values.Count);
}

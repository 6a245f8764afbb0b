namespace Serdica.Perf.Analysis.Blocks;

/// <summary>The ratio of candidate to base from the ratios of blocks.</summary>
/// <remarks>
/// Blocks are independent of each other, and a linear drift cancels out of each. With fewer than eight blocks their spread is
/// not known well enough, so half blocks (pairs of one run of each side) count as samples. The standard error is then the larger
/// of the two: a drift makes half blocks differ more, and a disturbance of a whole block makes blocks differ more. What blocks
/// differ by beyond their halves is known by the blocks alone, and so the degrees of freedom are the fewer, the more that is.
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
            : new(blocks.Mean(), Math.Max(error, StandardError(halves)), Freedom(halves, blocks));
    }

    /// <summary>The values whose signs the sign-flip test changes.</summary>
    public static IReadOnlyList<double> Samples(IReadOnlyList<double> halves) =>
        Blocks(halves) is { Length: >= FewestForBlocks } blocks ? blocks : halves;

    /// <summary>
    /// Between those of half blocks and those of blocks. The variance of a variance is inverse to its degrees of freedom, and that
    /// of a sum counts parts by their squares (F. E. Satterthwaite, "An Approximate Distribution of Estimates of Variance
    /// Components", Biometrics Bulletin 2, 1946).
    /// </summary>
    private static double Freedom(IReadOnlyList<double> halves, double[] blocks)
    {
        var within = halves.Chunk(2).Average(block => (block[0] - block[1]) * (block[0] - block[1]) / 2);
        var between = 2 * blocks.Variance();
        var ofBlocks = between > within ? Math.Pow(1 - within / between, 2) : 0;
        return 1 / (ofBlocks / (blocks.Length - 1) + (1 - ofBlocks) / (halves.Count - 1));
    }

    private static double[] Blocks(IReadOnlyList<double> halves) => [.. halves.Chunk(2).Select(block => block.Average())];

    private static double StandardError(IReadOnlyList<double> values) => values.StandardDeviation() / Math.Sqrt(values.Count);
}

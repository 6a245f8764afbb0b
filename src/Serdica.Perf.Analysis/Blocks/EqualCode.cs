namespace Serdica.Perf.Analysis.Blocks;

/// <summary>Comparisons of a program with itself: each reported change is a false alarm.</summary>
internal static class EqualCode
{
    /// <param name="each">The number of blocks in one comparison; a smaller remainder is left out.</param>
    public static IReadOnlyList<RunComparison> OfBlocks(IReadOnlyList<AbBlock> blocks, int each) =>
        [
            .. blocks
                .Chunk(each)
                .Where(chunk => chunk.Length == each)
                .Select(chunk => BlockComparer.Compare("base", "candidate", chunk, ComparisonSettings.Default)),
        ];

    /// <summary>Two successive runs form a pair, as <c>compare</c> sees them without a history.</summary>
    /// <param name="runs">In the order in which they were measured; a last one without a partner is left out.</param>
    public static IReadOnlyList<RunComparison> OfRuns(IReadOnlyList<RunResult> runs) =>
        [
            .. runs.Chunk(2)
                .Where(pair => pair.Length == 2)
                .Select(pair => RunComparer.Compare(pair[0], pair[1], ComparisonSettings.Default)),
        ];

    /// <summary>The metrics that a comparison calls better or worse.</summary>
    public static IReadOnlyList<MetricComparison> Alarms(RunComparison comparison) =>
        [.. comparison.With(Verdict.Regressed).Concat(comparison.With(Verdict.Improved)).Select(found => found.Metric)];
}

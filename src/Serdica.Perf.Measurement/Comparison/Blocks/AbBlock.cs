namespace Serdica.Perf.Measurement.Comparisons.Blocks;

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

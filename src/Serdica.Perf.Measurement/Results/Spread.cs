namespace Serdica.Perf.Measurement.Results;

/// <summary>One figure over several repeats.</summary>
/// <param name="Count">Repeats that have the figure.</param>
/// <param name="Median">The middle one, or the mean of the two in the middle.</param>
/// <param name="Min">The lowest.</param>
/// <param name="Max">The highest.</param>
/// <param name="Relative">(Max - Min) / Median: 0.1 means that the repeats lie within 10 % of each other.</param>
public sealed record Spread(int Count, double Median, double Min, double Max, double Relative)
{
    /// <summary>Null when no repeat has the figure.</summary>
    public static Spread? Of(IEnumerable<double?> figures)
    {
        var sorted = figures.OfType<double>().Order().ToArray();
        if (sorted.Length == 0)
            return null;

        var median = (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
        return new(sorted.Length, median, sorted[0], sorted[^1], median == 0 ? 0 : (sorted[^1] - sorted[0]) / median);
    }
}

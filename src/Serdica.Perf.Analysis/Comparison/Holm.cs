namespace Serdica.Perf.Analysis.Comparison;

/// <summary>
/// Limits the probability of any false alarm among several tests to one rate, whatever their dependence (S. Holm, "A Simple
/// Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6, 1979).
/// </summary>
internal static class Holm
{
    /// <param name="values">The p of each test.</param>
    /// <returns>The corrected p in the same order, to be compared with the rate itself.</returns>
    public static IReadOnlyList<double> Correct(IReadOnlyList<double> values)
    {
        var corrected = new double[values.Count];
        var highest = 0.0;
        foreach (var (rank, index) in Enumerable.Range(0, values.Count).OrderBy(index => values[index]).Index())
            corrected[index] = highest = Math.Max(highest, Math.Min(1, values[index] * (values.Count - rank)));
        return corrected;
    }
}

namespace Serdica.Perf.Analysis.History;

/// <summary>How much a value of a series predicts the next, independent of its level and of changes of level.</summary>
/// <remarks>
/// Two estimates, of which a caller takes the larger inflation: differences know no level, and so are not deceived by a change of
/// level that nobody has found yet; values around known levels know ρ twice as well.
/// </remarks>
internal static class Autocorrelation
{
    /// <summary>With fewer points it cannot be estimated, and the points count as independent.</summary>
    private const int FewestPoints = 12;

    /// <summary>Keeps the inflation finite.</summary>
    private const double Highest = 0.9;

    /// <summary>Differences beyond this many standard deviations are clipped: a change of level is not noise.</summary>
    private const double Cut = 2.5;

    /// <summary>Standard deviation of a normal distribution over its median distance from the mean.</summary>
    private const double DeviationOfMedian = 1.4826;

    /// <summary>
    /// The factor by which the variance of a mean exceeds that of independent values: (1+ρ)/(1−ρ) for a process that is
    /// autoregressive of first order, and 1 where ρ may be chance (one-sided, 5 %). The squares of differences over two steps
    /// are 1+ρ times those over one step, which no change of level disturbs.
    /// </summary>
    public static double Inflation(double[] series)
    {
        if (series.Length < FewestPoints)
            return 1;

        var (one, two) = (Square(series, 1), Square(series, 2));
        if (one == 0)
            return 1;

        // For independent values the variance of ρ is 2/n.
        var rho = Math.Min(two / one - 1, Highest);
        return rho > Normal.InvCDF(0, 1, 0.95) * Math.Sqrt(2.0 / series.Length) ? OfCorrelation(rho) : 1;
    }

    /// <summary>
    /// This factor from values around known levels, without a test of chance. A mean that is estimated from its n values takes about
    /// (1+4ρ)/n from their correlation (M. G. Kendall, "Note on Bias in the Estimation of Autocorrelation", Biometrika 41, 1954). All
    /// values together lose that for each level, which is added.
    /// </summary>
    /// <param name="levels">The distances of the values from the mean of their level, a level each; not all are 0.</param>
    public static double InflationAround(params double[][] levels)
    {
        var count = levels.Sum(level => level.Length);
        if (count < FewestPoints)
            return 1;

        var products = levels.Sum(level => level.Zip(level.Skip(1), (one, next) => one * next).Sum());
        var found = products / levels.Sum(level => level.Sum(distance => distance * distance));
        return OfCorrelation(Math.Clamp(found + levels.Length * (1 + 4 * found) / count, 0, Highest));
    }

    private static double OfCorrelation(double rho) => (1 + rho) / (1 - rho);

    private static double Square(double[] series, int step)
    {
        var distances = series.Zip(series.Skip(step), (from, to) => Math.Abs(to - from)).ToArray();
        var bound = Cut * DeviationOfMedian * distances.Median();
        return distances.Average(distance => Math.Pow(Math.Min(distance, bound), 2));
    }
}

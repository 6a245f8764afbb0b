namespace Serdica.Perf.Analysis.Comparison;

/// <summary>The logarithm of candidate over base with its standard error, and what Student's t says of it.</summary>
/// <remarks>
/// Performance figures spread by factors, so everything is calculated in logarithms. Interval, p, noise floor and power come
/// from the same t, so that they never contradict each other.
/// </remarks>
/// <param name="StandardError">The standard error of the mean; 0 when all samples are equal.</param>
/// <param name="Freedom">Degrees of freedom of the standard error, above 0; not whole when it has two sources.</param>
internal sealed record LogRatio(double Mean, double StandardError, double Freedom)
{
    /// <summary>The two-sided confidence level of the interval.</summary>
    public const double Confidence = 0.99;

    /// <summary>An interval wider than this factor is not meaningful.</summary>
    private const double WidestInterval = 10;

    /// <summary>
    /// Points of the standard normal distribution with their weights, which the power is averaged over. Their error is below 0.00001 for
    /// smooth functions (L. N. Trefethen and J. A. C. Weideman, "The Exponentially Convergent Trapezoidal Rule", SIAM Review 56, 2014).
    /// </summary>
    private static readonly (double Point, double Weight)[] NormalPoints =
    [
        .. Enumerable.Range(-24, 49).Select(index => (index / 4.0, Normal.PDF(0, 1, index / 4.0) / 4)),
    ];

    /// <summary>
    /// Quantiles of Student's t. Each takes an iterative search, and a comparison needs the same few many times. For each thread, because
    /// threads that share them wait for each other most of the time.
    /// </summary>
    [ThreadStatic]
    private static Dictionary<(double Freedom, double Significance), double>? _criticals;

    private const int MostCriticals = 10_000;

    public double Ratio => Math.Exp(Mean);

    public double Low => Math.Exp(Mean - Reach);

    public double High => Math.Exp(Mean + Reach);

    /// <summary>0.1 means that equal code differs by up to 10 % in 99 of 100 such comparisons.</summary>
    public double NoiseFloor => Math.Exp(Reach) - 1;

    public bool SaysNothing => 2 * Reach > Math.Log(WidestInterval);

    /// <summary>The probability of a mean at least as far from 0 when both sides are equal.</summary>
    public double PValue =>
        StandardError == 0
            ? Mean == 0
                ? 1
                : 0
            : 2 * StudentT.CDF(0, 1, Freedom, -Math.Abs(Mean) / StandardError);

    private double Reach => StandardError == 0 ? 0 : Critical(1 - Confidence) * StandardError;

    /// <summary>
    /// The probability that a true change of this size counts: the noncentral t distribution, as the mean of
    /// the normal one over the estimated spread, whose χ² is a cube of a normal variable by E. B. Wilson and
    /// M. M. Hilferty ("The Distribution of Chi-Square", PNAS 17, 1931).
    /// </summary>
    /// <param name="change">0.1 means a ratio of 1.1 or its inverse.</param>
    /// <param name="leastMean">The smallest distance of the mean from 0 that counts, however certain it is.</param>
    /// <param name="leastT">The smallest t that counts, however small its p is.</param>
    public double Power(double change, double significance, double leastMean = 0, double leastT = 0)
    {
        if (StandardError == 0)
            return Math.Log(1 + change) >= leastMean ? 1 : 0;

        var shift = Math.Log(1 + change) / StandardError;
        var critical = Math.Max(Critical(significance), leastT);
        var ninth = 2 / (9 * Freedom);
        return NormalPoints.Sum(normal =>
        {
            var root = Math.Max(0, 1 - ninth + normal.Point * Math.Sqrt(ninth));
            var needed = Math.Max(critical * root * Math.Sqrt(root), leastMean / StandardError);
            return normal.Weight * (Normal.CDF(0, 1, shift - needed) + Normal.CDF(0, 1, -shift - needed));
        });
    }

    private double Critical(double significance)
    {
        var known = _criticals ??= [];
        if (known.TryGetValue((Freedom, significance), out var found))
            return found;
        if (known.Count >= MostCriticals)
            known.Clear();
        return known[(Freedom, significance)] = StudentT.InvCDF(0, 1, Freedom, 1 - significance / 2);
    }
}

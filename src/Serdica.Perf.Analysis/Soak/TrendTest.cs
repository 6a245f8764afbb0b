namespace Serdica.Perf.Analysis.Soak;

/// <summary>Finds the slope of a series over time, and whether it is more than chance.</summary>
/// <remarks>
/// <para>
/// The slope is that of Theil and Sen, the median of the slopes of all pairs, and its interval is the one of P. K. Sen
/// ("Estimates of the regression coefficient based on Kendall's tau", JASA 63, 1968; with the variance for ties as in
/// R. O. Gilbert, <i>Statistical Methods for Environmental Pollution Monitoring</i>, 1987, section 16.5). Least squares
/// with Student's t would be as short, but it assumes normal errors: one checkpoint in an interval's p99, or one vacuum in a
/// series of dead rows, then bends the line or hides a trend. The median does not move for up to 29 % of such points, needs no
/// distribution, and a series of few values, such as a number of connections, is no special case.
/// </para>
/// <para>
/// Neighbouring intervals are similar, above all in memory, and an interval for independent points would raise false alarms.
/// Where the residuals have a lag-1 autocorrelation ρ that is above chance (one-sided, 5 %), the variance is multiplied by
/// (1+ρ)/(1−ρ), the ratio of the points to the independent ones among them (S. Yue and C. Y. Wang, "The Mann-Kendall test
/// modified by effective sample size", Water Resources Management 18, 2004).
/// </para>
/// </remarks>
internal static class TrendTest
{
    /// <summary>With fewer points, the normal approximation of Kendall's S is not accurate enough.</summary>
    public const int FewestPoints = 8;

    /// <summary>A soak tests seven trends: at 95 %, every sixth stable soak would have a false finding.</summary>
    public const double DefaultConfidence = 0.99;

    /// <summary>Keeps the inflation finite.</summary>
    private const double HighestAutocorrelation = 0.95;

    /// <summary>A share of a value that no measurement resolves, and far above the error of its calculation.</summary>
    private const double Rounding = 1e-12;

    /// <param name="points">Points in order of time, with no time twice.</param>
    /// <param name="confidence">The two-sided confidence level of the interval, between 0 and 1.</param>
    public static Trend Of(IReadOnlyList<(double At, double Value)> points, double confidence = DefaultConfidence)
    {
        var tooFew = new Trend { Verdict = TrendVerdict.TooFew, Confidence = confidence, Points = points.Count };
        if (points.Count < FewestPoints)
            return tooFew;

        var slopes = PairSlopes(points);
        var slope = (slopes[(slopes.Length - 1) / 2] + slopes[slopes.Length / 2]) / 2;
        var width = Normal.InvCDF(0, 1, (1 + confidence) / 2) * Math.Sqrt(VarianceOfKendall(points) * Inflation(points, slope));
        var low = (int)Math.Floor((slopes.Length - width) / 2) - 1;
        var trend = tooFew with { Verdict = TrendVerdict.NotDifferentFromZero, Slope = slope };
        if (low < 0)
            return trend;

        var (from, to) = (slopes[low], slopes[slopes.Length - 1 - low]);
        return trend with
        {
            Verdict =
                from > 0 ? TrendVerdict.Rising
                : to < 0 ? TrendVerdict.Falling
                : TrendVerdict.NotDifferentFromZero,
            Low = from,
            High = to,
        };
    }

    private static double[] PairSlopes(IReadOnlyList<(double At, double Value)> points)
    {
        var slopes = new double[points.Count * (points.Count - 1) / 2];
        var next = 0;
        for (var later = 1; later < points.Count; later++)
        {
            for (var earlier = 0; earlier < later; earlier++)
                slopes[next++] = (points[later].Value - points[earlier].Value) / (points[later].At - points[earlier].At);
        }

        Array.Sort(slopes);
        return slopes;
    }

    private static double VarianceOfKendall(IReadOnlyList<(double At, double Value)> points)
    {
        static double Term(double count) => count * (count - 1) * (2 * count + 5);
        return (Term(points.Count) - points.GroupBy(point => point.Value).Sum(tie => Term(tie.Count()))) / 18;
    }

    /// <summary>The number of points that stand for one independent point.</summary>
    private static double Inflation(IReadOnlyList<(double At, double Value)> points, double slope)
    {
        var residuals = points.Select(point => point.Value - slope * point.At).ToArray();
        var mean = residuals.Average();
        var total = residuals.Sum(residual => (residual - mean) * (residual - mean));

        // Beside a straight line nothing is left but rounding, whose neighbours may be alike.
        var rounding = Rounding * points.Max(point => Math.Abs(point.Value) + Math.Abs(slope * point.At));
        if (total <= points.Count * rounding * rounding)
            return 1;

        var together = residuals.Zip(residuals.Skip(1)).Sum(pair => (pair.First - mean) * (pair.Second - mean));
        var autocorrelation = Math.Min(together / total, HighestAutocorrelation);
        return autocorrelation > Normal.InvCDF(0, 1, 0.95) / Math.Sqrt(points.Count) ? (1 + autocorrelation) / (1 - autocorrelation) : 1;
    }
}

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>
/// The ratio of two single runs. Its error has two sources: the spread of repeats within the runs, and the noise between runs.
/// </summary>
internal static class RunsEstimate
{
    /// <summary>
    /// The two variances are added, with the degrees of freedom of F. E. Satterthwaite ("An Approximate Distribution of
    /// Estimates of Variance Components", Biometrics Bulletin 2, 1946). Where the noise between runs was learned from means
    /// of runs, it already contains that of the repeats, and the error is overestimated by at most √2.
    /// </summary>
    /// <param name="before">At least one value; all above 0.</param>
    /// <param name="after">As <paramref name="before"/>.</param>
    public static LogRatio Of(IReadOnlyList<double> before, IReadOnlyList<double> after, RunNoise between)
    {
        var (first, second) = (Logarithms(before), Logarithms(after));
        var freedom = first.Length + second.Length - 2;
        var repeats = freedom == 0 ? 0 : (Squares(first) + Squares(second)) / freedom * (1.0 / first.Length + 1.0 / second.Length);
        var runs = 2 * between.Deviation * between.Deviation;
        var variance = repeats + runs;
        var terms = (freedom == 0 ? 0 : repeats * repeats / freedom) + runs * runs / between.Freedom;
        return new(second.Mean() - first.Mean(), Math.Sqrt(variance), variance * variance / terms);
    }

    private static double[] Logarithms(IReadOnlyList<double> values) => [.. values.Select(value => Math.Log(value))];

    private static double Squares(double[] values)
    {
        var mean = values.Mean();
        return values.Sum(value => (value - mean) * (value - mean));
    }
}

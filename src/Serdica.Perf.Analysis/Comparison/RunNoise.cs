namespace Serdica.Perf.Analysis.Comparison;

/// <summary>The noise between runs: how far the means of runs of equal code lie apart. The repeats of one run cannot show it.</summary>
/// <remarks>
/// A few runs estimate a spread poorly. The assumed value counts as <see cref="AssumedFreedom"/> further degrees of freedom
/// beside them (G. K. Smyth, "Linear Models and Empirical Bayes Methods", Statistical Applications in Genetics and Molecular
/// Biology 3, 2004, the moderated t). Without any run it stands alone.
/// </remarks>
/// <param name="Deviation">Standard deviation of the logarithm of a run's figure; 0.06 is about 6 %.</param>
/// <param name="Runs">Runs that it was learned from; 0 when it is only assumed.</param>
internal sealed record RunNoise(double Deviation, double Freedom, int Runs)
{
    /// <summary>Fewer runs are not enough to estimate the noise between runs.</summary>
    public const int FewestRuns = 3;

    /// <summary>Assumed for times and throughput: three kept runs of a million operations each had 0.060, 0.053 and 0.082 (p99).</summary>
    private const double AssumedOfTimes = 0.06;

    /// <summary>Assumed for counts that the code determines: the same runs had 0.0001 (bytes of log) to 0.009 (blocks read).</summary>
    private const double AssumedOfWork = 0.01;

    private const double AssumedFreedom = 8;

    /// <summary>Input and output whose timing the operating system decides.</summary>
    private static readonly string[] DiskTraffic =
    [
        MetricNames.DatabaseDiskReads,
        MetricNames.DatabaseDiskWrites,
        MetricNames.ContainerBlockReads,
        MetricNames.ContainerBlockWrites,
    ];

    /// <param name="metric">The noise of a metric without runs to learn from.</param>
    internal static RunNoise Assumed(ComparedMetric metric) => new(AssumedDeviation(metric.Name, metric.Unit), AssumedFreedom, 0);

    internal static RunNoise Learned(string name, string? unit, double variance, double freedom, int runs)
    {
        var assumed = AssumedDeviation(name, unit);
        var together = freedom + AssumedFreedom;
        return new(Math.Sqrt((AssumedFreedom * assumed * assumed + freedom * variance) / together), together, runs);
    }

    private static double AssumedDeviation(string name, string? unit) =>
        name.StartsWith(ComparedMetric.CostPrefix, Ordinal)
        && unit is not ("ms" or "us")
        && !DiskTraffic.Contains(name[ComparedMetric.CostPrefix.Length..])
            ? AssumedOfWork
            : AssumedOfTimes;
}

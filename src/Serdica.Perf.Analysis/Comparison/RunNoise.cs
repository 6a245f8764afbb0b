using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>How far the means of runs of equal code lie apart. The repeats of one run can't show it: they share its hour.</summary>
/// <remarks>
/// A few runs know a spread poorly. What is assumed counts as <see cref="AssumedFreedom"/> further degrees of freedom beside
/// them (G. K. Smyth, "Linear Models and Empirical Bayes Methods", Statistical Applications in Genetics and Molecular
/// Biology 3, 2004, the moderated t). Without any run it stands alone.
/// </remarks>
/// <param name="Deviation">Standard deviation of the logarithm of a run's figure; 0.06 is about 6 %.</param>
/// <param name="Freedom">Its degrees of freedom.</param>
/// <param name="Runs">Runs that it was learned from; 0 when it is only assumed.</param>
public sealed record RunNoise(double Deviation, double Freedom, int Runs)
{
    /// <summary>Fewer runs don't know the noise between runs.</summary>
    public const int FewestRuns = 3;

    /// <summary>Of times and throughput: three kept runs of a million operations each had 0.060, 0.053 and 0.082 (p99).</summary>
    private const double AssumedOfTimes = 0.06;

    /// <summary>Of counts that the code decides: the same runs had 0.0001 (bytes of log) to 0.009 (blocks read).</summary>
    private const double AssumedOfWork = 0.01;

    private const double AssumedFreedom = 8;

    /// <summary>Input and output that the operating system decides when to do.</summary>
    private static readonly string[] DiskTraffic =
        [MetricNames.DatabaseDiskReads, MetricNames.DatabaseDiskWrites, MetricNames.ContainerBlockReads, MetricNames.ContainerBlockWrites];

    /// <param name="metric">A metric that has no run to learn from.</param>
    internal static RunNoise Assumed(ComparedMetric metric) => new(AssumedDeviation(metric.Name, metric.Unit), AssumedFreedom, 0);

    /// <param name="name">Of the metric.</param>
    /// <param name="unit">Of the metric.</param>
    /// <param name="variance">Of the logarithm of a run's figure, as the runs show it.</param>
    /// <param name="freedom">Its degrees of freedom.</param>
    /// <param name="runs">How many there are.</param>
    internal static RunNoise Learned(string name, string? unit, double variance, double freedom, int runs)
    {
        var assumed = AssumedDeviation(name, unit);
        var together = freedom + AssumedFreedom;
        return new(Math.Sqrt((AssumedFreedom * assumed * assumed + freedom * variance) / together), together, runs);
    }

    private static double AssumedDeviation(string name, string? unit) =>
        name.StartsWith(ComparedMetric.CostPrefix, StringComparison.Ordinal) && unit is not ("ms" or "us") && !DiskTraffic.Contains(name[ComparedMetric.CostPrefix.Length..])
            ? AssumedOfWork : AssumedOfTimes;
}

namespace Serdica.Perf.Results.Runs;

/// <summary>
/// N. J. Gunther's Universal Scalability Law, fitted to measured levels: X(N) = λN / (1 + σ(N−1) + κN(N−1)). (<i>Guerrilla Capacity
/// Planning</i>, Springer 2007, chapters 4 to 6.)
/// </summary>
public sealed record ScalabilityFit
{
    /// <summary>λ: operations a second of one caller.</summary>
    public required double PerCallerPerSecond { get; init; }

    public double? PerCallerPerSecondError { get; init; }

    /// <summary>σ: the share of the work that callers queue for, from 0 to 1.</summary>
    public required double Contention { get; init; }

    /// <summary>Standard error of σ; null when σ was fixed at zero.</summary>
    public double? ContentionError { get; init; }

    /// <summary>κ: the cost of keeping each pair of callers consistent; above zero, throughput has a maximum.</summary>
    public required double Coherency { get; init; }

    /// <summary>Standard error of κ; null when κ was fixed at zero.</summary>
    public double? CoherencyError { get; init; }

    /// <summary>The number of distinct levels that were fitted.</summary>
    public required int Rungs { get; init; }

    /// <summary>The share of the variance of the throughputs that the law explains, at most 1.</summary>
    public required double RSquared { get; init; }

    /// <summary>Root mean square of the relative residuals over the degrees of freedom: 0.05 is 5 %.</summary>
    public required double RelativeError { get; init; }

    /// <summary>
    /// N* = √((1−σ)/κ), the number of callers with the highest throughput; null when κ is zero and throughput never falls.
    /// </summary>
    public double? PeakConcurrency { get; init; }

    /// <summary>X(N*) in operations a second; null when there is no peak.</summary>
    public double? PeakPerSecond { get; init; }

    /// <summary>
    /// λ/σ in operations a second, which throughput approaches when it has no peak; null when it has one, or grows without bound.
    /// </summary>
    public double? AsymptotePerSecond { get; init; }

    /// <summary>
    /// Lower end of the 95 % confidence interval of the peak or the asymptote; null when there is neither. First-order approximation
    /// with Student's t.
    /// </summary>
    public double? MostLow { get; init; }

    /// <summary>Upper end, as <see cref="MostLow"/>; null when the levels do not bound it.</summary>
    public double? MostHigh { get; init; }

    /// <summary>The throughput that the law predicts for this many callers, in operations a second.</summary>
    public double ThroughputAt(double callers) =>
        PerCallerPerSecond * callers / (1 + Contention * (callers - 1) + Coherency * callers * (callers - 1));
}

namespace Serdica.Perf.Results.Runs;

/// <summary>
/// N. J. Gunther's Universal Scalability Law through measured rungs: X(N) = λN / (1 + σ(N−1) + κN(N−1)).
/// (<i>Guerrilla Capacity Planning</i>, Springer 2007, chapters 4 to 6.)
/// </summary>
public sealed record ScalabilityFit
{
    /// <summary>λ: operations a second of one caller.</summary>
    public required double PerCallerPerSecond { get; init; }

    public double? PerCallerPerSecondError { get; init; }

    /// <summary>σ: the part of the work that callers queue for, from 0 to 1.</summary>
    public required double Contention { get; init; }

    /// <summary>Standard error of σ; null when it was held at zero.</summary>
    public double? ContentionError { get; init; }

    /// <summary>κ: what each pair of callers costs to keep consistent; above zero throughput has a maximum.</summary>
    public required double Coherency { get; init; }

    /// <summary>Standard error of κ; null when it was held at zero.</summary>
    public double? CoherencyError { get; init; }

    /// <summary>Distinct rungs that were fitted.</summary>
    public required int Rungs { get; init; }

    /// <summary>Part of the variance of the throughputs that the law explains.</summary>
    public required double RSquared { get; init; }

    /// <summary>Root of the mean square of the relative residuals, over the degrees of freedom: 0.05 is 5 %.</summary>
    public required double RelativeError { get; init; }

    /// <summary>N* = √((1−σ)/κ), where throughput is highest; null when κ is zero and it never falls.</summary>
    public double? PeakConcurrency { get; init; }

    /// <summary>X(N*); null when there is no peak.</summary>
    public double? PeakPerSecond { get; init; }

    /// <summary>λ/σ, which throughput approaches where it has no peak; null where it has one, or grows without bound.</summary>
    public double? AsymptotePerSecond { get; init; }

    /// <summary>
    /// Lower end of the 95 % interval of the peak or the asymptote; null where there is neither. To first order, by Student's t.
    /// </summary>
    public double? MostLow { get; init; }

    /// <summary>Upper end, as <see cref="MostLow"/>; null when the levels do not bound it.</summary>
    public double? MostHigh { get; init; }

    /// <summary>What the law expects of so many callers.</summary>
    public double ThroughputAt(double callers) =>
        PerCallerPerSecond * callers / (1 + Contention * (callers - 1) + Coherency * callers * (callers - 1));
}

namespace Serdica.Perf.Results.Runs;

/// <summary>The slope of a series over time, and whether it differs from zero by more than chance.</summary>
public sealed record Trend
{
    public required TrendVerdict Verdict { get; init; }

    /// <summary>The change of the value per unit of time; null when there were too few points.</summary>
    public double? Slope { get; init; }

    /// <summary>
    /// Lower end of the confidence interval of <see cref="Slope"/>; null when too many points are equal for the interval to have
    /// ends.
    /// </summary>
    public double? Low { get; init; }

    /// <summary>Upper end, as <see cref="Low"/>.</summary>
    public double? High { get; init; }

    /// <summary>The confidence level of the interval, for instance 0.99.</summary>
    public required double Confidence { get; init; }

    public required int Points { get; init; }
}

/// <summary>What a <see cref="Trend"/> shows.</summary>
public enum TrendVerdict
{
    /// <summary>Fewer than eight points.</summary>
    TooFew,

    /// <summary>The confidence interval of the slope contains zero.</summary>
    NotDifferentFromZero,

    Rising,

    Falling,
}

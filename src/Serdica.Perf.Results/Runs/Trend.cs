namespace Serdica.Perf.Results.Runs;

/// <summary>The slope of a series over time, and whether it is more than chance.</summary>
public sealed record Trend
{
    public required TrendVerdict Verdict { get; init; }

    /// <summary>Change of the value for one unit of time; null when there were too few points.</summary>
    public double? Slope { get; init; }

    /// <summary>
    /// Lower end of the confidence interval of <see cref="Slope"/>; null when the points are so alike that it has no ends.
    /// </summary>
    public double? Low { get; init; }

    /// <summary>Upper end, as <see cref="Low"/>.</summary>
    public double? High { get; init; }

    /// <summary>For instance 0.99.</summary>
    public required double Confidence { get; init; }

    public required int Points { get; init; }
}

/// <summary>What a <see cref="Trend"/> says.</summary>
public enum TrendVerdict
{
    /// <summary>Fewer than eight points.</summary>
    TooFew,

    /// <summary>The confidence interval of the slope holds zero.</summary>
    NotDifferentFromZero,

    Rising,

    Falling,
}

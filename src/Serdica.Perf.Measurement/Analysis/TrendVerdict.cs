namespace Serdica.Perf.Measurement.Analysis;

/// <summary>What a <see cref="Trend"/> says.</summary>
public enum TrendVerdict
{
    /// <summary>Fewer than <see cref="Trend.FewestPoints"/>.</summary>
    TooFew,

    /// <summary>The confidence interval of the slope holds zero.</summary>
    NotDifferentFromZero,

    Rising,

    Falling,
}

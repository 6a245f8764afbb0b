using Serdica.Perf.Measurement.Analysis;

namespace Serdica.Perf.Measurement.Results;

/// <summary>One figure over the intervals of a soak.</summary>
/// <param name="Name">For instance <c>throughput</c> or <c>deadRows</c>.</param>
/// <param name="Unit">For instance <c>bytes</c>; null for a plain count.</param>
/// <param name="Unwelcome">The trend that is a finding; null when none is.</param>
/// <param name="Trend">By minute; null when the figure could not be had.</param>
/// <param name="Reason">Why it could not be had; null when it could.</param>
public sealed record SoakSeries(string Name, string? Unit, TrendVerdict? Unwelcome, Trend? Trend, string? Reason)
{
    /// <summary>Whether the series went where it should not.</summary>
    public bool IsFinding => Unwelcome is not null && Trend?.Verdict == Unwelcome;
}

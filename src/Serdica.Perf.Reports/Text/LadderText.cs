namespace Serdica.Perf.Reports.Text;

/// <summary>The findings of a <see cref="CapacityLadder"/> in sentences, the same on the console and in the report.</summary>
internal static class LadderText
{
    public static string SizingNote(CapacityLadder ladder)
    {
        if (ladder.FirstPressure is not { } pressure)
            return $"every level up to c{ladder.LastComfortable} is comfortable; none was under pressure.";

        var comfortable = $"the last comfortable level is c{ladder.LastComfortable}, the first under pressure c{pressure}";
        return ladder.Knee is { } knee ? $"{comfortable}, the knee is at c{knee}." : $"{comfortable}; the knee was not reached.";
    }

    public static string Fit(CapacityLadder ladder) =>
        ladder.Fit is { } fit ? $"{Parameters(fit)}. {Peak(fit, ladder.Rungs[^1].Concurrency)}" : $"no fit. {ladder.FitRefusal}";

    public static string Words(RungVerdict verdict) => verdict.ToString().ToLowerInvariant();

    private static string Parameters(ScalabilityFit fit) =>
        Invariant($"λ {WithError(fit.PerCallerPerSecond, fit.PerCallerPerSecondError, "#,0.0", "/s")}, ")
        + Invariant($"contention σ {WithError(fit.Contention, fit.ContentionError, "0.0000")}, ")
        + Invariant($"coherency κ {WithError(fit.Coherency, fit.CoherencyError, "0.00E+0")} (standard errors); ")
        + Invariant($"R² {fit.RSquared:0.000}, relative error {fit.RelativeError * 100:0.0} % over {fit.Rungs} levels");

    /// <summary>A parameter that was held at its bound, which is zero, has no error.</summary>
    private static string WithError(double value, double? error, string format, string unit = "") =>
        error is { } known
            ? $"{value.ToString(format, CultureInfo.InvariantCulture)}{unit} ± {known.ToString(format, CultureInfo.InvariantCulture)}"
            : $"0{unit} (held at zero)";

    private static string Peak(ScalabilityFit fit, int highest) =>
        fit switch
        {
            { PeakConcurrency: { } peak, PeakPerSecond: { } perSecond } =>
                Invariant($"Its peak is {perSecond:#,0}/s ({Interval(fit)}) at {peak:#,0} ")
                    + Invariant($"callers{(peak > highest ? ", beyond the highest level and so an extrapolation" : "")}."),
            { AsymptotePerSecond: { } perSecond } => Invariant($"It has no peak and approaches {perSecond:#,0}/s ({Interval(fit)})."),
            _ => "It has no peak: throughput grew in proportion to the callers.",
        };

    private static string Interval(ScalabilityFit fit) =>
        fit.MostHigh is { } high
            ? Invariant($"95 % interval {fit.MostLow:#,0} to {high:#,0}")
            : Invariant($"at least {fit.MostLow:#,0} at 95 %; the levels do not bound it above");
}

namespace Serdica.Perf.Analysis.Soak;

/// <summary>The findings of a soak in words, shared by console, report and warnings.</summary>
internal static class SoakText
{
    private const double Mebibyte = 1 << 20;

    /// <summary>One sentence on the arrivals. The scenario must have a soak.</summary>
    public static string Load(ScenarioResult scenario)
    {
        var (soak, counts) = (scenario.Soak!, scenario.Counts);
        return Invariant($"The calibration reached {soak.MaximumPerSecond:#,0.0}/s with ")
            + Invariant($"{Figure.Number(scenario.Parameters.Concurrency, "caller")}; {soak.Utilisation * 100:0} % of it, ")
            + Invariant($"{soak.OfferedPerSecond:#,0.0}/s, arrived for ")
            + Invariant($"{scenario.Parameters.DurationSeconds:0.#} s{Arrivals(scenario.Parameters.Options)}: {counts.Started:#,0} ")
            + Invariant($"started, {counts.Late:#,0} of them late, and {counts.Dropped:#,0} dropped.");
    }

    /// <summary>Nothing for a result of a version that did not record it.</summary>
    private static string Arrivals(IReadOnlyDictionary<string, string> options) =>
        options.TryGetValue(ArrivalText.PatternOption, out var pattern) && options.TryGetValue(ArrivalText.SeedOption, out var seed)
            ? $" (arrivals {pattern}, seed {seed})"
            : "";

    /// <summary>For instance <c>rising by 1.20 MiB a minute (99 % confidence: 0.80 to 1.60)</c>, or why it is unknown.</summary>
    public static string Trend(SoakSeries series)
    {
        if (series.Trend is not { } trend)
            return $"not known: {series.Reason}";

        var scale = series.Unit == "bytes" ? Mebibyte : 1;
        var unit = series.Unit switch
        {
            "bytes" => " MiB",
            null => "",
            var other => $" {other}",
        };
        if (trend.Slope is not { } slope)
            return Invariant($"not known: too few intervals ({trend.Points})");

        var interval = trend is { Low: { } low, High: { } high }
            ? Invariant($"{trend.Confidence * 100:0.#} % confidence: {low / scale:0.00} to {high / scale:0.00}")
            : "neighbouring intervals are too similar to bound it";
        return Invariant(
            $"{Words(trend.Verdict)} {(trend.Verdict == TrendVerdict.Falling ? -slope : slope) / scale:0.00}{unit} a minute ({interval})"
        );
    }

    private static string Words(TrendVerdict verdict) =>
        verdict switch
        {
            TrendVerdict.Rising => "rising by",
            TrendVerdict.Falling => "falling by",
            _ => "not different from zero:",
        };
}

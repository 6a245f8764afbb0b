using System.Globalization;
using Serdica.Perf.Results;
using static System.FormattableString;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>The words of a comparison, the same in every form of it.</summary>
public static class ComparisonText
{
    /// <summary>Above everything where unlike runs were compared.</summary>
    public const string Banner = "NOT ALIKE: what follows was not measured under the same conditions, and a difference may come from them.";

    /// <summary>In front of what the sides were told to differ in.</summary>
    public const string Varied = "The sides differ as they were told to:";

    /// <summary>Less is printed as 0.0 %, which is neither better nor worse.</summary>
    private const double LeastShown = 0.0005;

    /// <summary>For instance <c>10,000 to 8,000 op/s, 20.0 % worse</c>.</summary>
    public static string Change(MetricComparison metric)
    {
        ArgumentNullException.ThrowIfNull(metric);
        var unit = metric.Unit is null ? "" : $" {metric.Unit}";
        var figures = $"{Value(metric.Before)} to {Value(metric.After)}{unit}";
        return metric.WorseBy is { } worse && Math.Abs(worse) >= LeastShown
            ? $"{figures}, {Invariant($"{Math.Abs(worse) * 100:0.0} %")} {(worse > 0 ? "worse" : "better")}"
            : figures;
    }

    /// <summary>What the verdict rests on: interval, repeats, rank test and noise floor.</summary>
    public static string Evidence(MetricComparison metric)
    {
        ArgumentNullException.ThrowIfNull(metric);
        List<string> parts = [];
        if (metric.Ratio is { } ratio)
            parts.Add(Invariant($"ratio {ratio:0.000}"));
        if (metric is { Low: { } low, High: { } high })
            parts.Add(Invariant($"{RatioEstimate.Confidence * 100:0} % interval {low:0.000} to {high:0.000}"));
        parts.Add(Invariant($"{metric.BeforeCount} and {metric.AfterCount} repeats"));
        if (metric.PValue is { } p)
            parts.Add(Invariant($"p {p:0.####}"));
        if (metric.NoiseFloor is { } floor)
            parts.Add(Invariant($"noise floor {floor * 100:0.0} %"));
        return string.Join(", ", parts);
    }

    public static string Words(Verdict verdict) => verdict switch
    {
        Verdict.Unstable => "inconclusive",
        Verdict.GeneratorLimited => "generator-limited",
        Verdict.NotComparable => "different conditions",
        Verdict.NotMeasured => "not measured",
        _ => verdict.ToString().ToLowerInvariant(),
    };

    /// <summary>Three digits or more, whatever the size.</summary>
    internal static string Value(double? value) => value is not { } number
        ? Figure.None
        : number.ToString(Math.Abs(number) switch { >= 100 => "#,0", >= 10 => "0.0", >= 1 => "0.00", _ => "0.0000" }, CultureInfo.InvariantCulture);
}

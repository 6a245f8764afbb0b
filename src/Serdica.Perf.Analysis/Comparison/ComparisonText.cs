namespace Serdica.Perf.Analysis.Comparison;

/// <summary>The wording of a comparison, shared by all its forms.</summary>
internal static class ComparisonText
{
    /// <summary><see cref="Banner"/> with the differences of runs that were compared all the same; null without any.</summary>
    public static string? DifferentConditions(RunComparison comparison) =>
        comparison.AllowUnlike && comparison.AllUnlike() is { Count: > 0 } unlike ? $"{Banner} {string.Join("; ", unlike)}." : null;

    /// <summary>The heading when runs with different conditions were compared.</summary>
    public const string Banner = "DIFFERENT CONDITIONS: a difference may come from the conditions of the runs and not from the code.";

    /// <summary>Introduces the settings in which the sides differ on purpose.</summary>
    public const string Varied = "The sides differ on purpose:";

    /// <summary>Smaller changes are printed as 0.0 %, neither better nor worse.</summary>
    private const double LeastShown = 0.0005;

    /// <summary>From this factor on, a change is printed as a factor: nobody reads 43,959.2 %.</summary>
    private const double LeastFactor = 2;

    /// <summary>What runs with few operations, as those of the smoke tier, are for.</summary>
    public const string CorrectnessOnly = "Correctness only: there are too few operations for throughput.";

    /// <summary>For instance <c>10,000 to 8,000 op/s, 20.0 % slower</c>, or <c>16,959 to 680 op/s, 25 times slower</c>.</summary>
    public static string Change(MetricComparison metric)
    {
        if (metric is { Before: null, After: null })
            return Figure.None;
        var unit = metric.Unit is null ? "" : $" {metric.Unit}";
        var figures = $"{Value(metric.Before)} to {Value(metric.After)}{unit}";
        return metric.WorseBy is { } worse && Math.Abs(worse) >= LeastShown
            ? $"{figures}, {Amount(metric, worse)} {Direction(metric, worse > 0)}"
            : figures;
    }

    private static string Amount(MetricComparison metric, double worse)
    {
        var factor = metric.Ratio is { } ratio and > 0 ? Math.Max(ratio, 1 / ratio) : 1;
        return factor >= LeastFactor && double.IsFinite(factor)
            ? factor.ToString(factor < 10 ? "0.0" : "#,0", CultureInfo.InvariantCulture) + " times"
            : Invariant($"{Math.Abs(worse) * 100:0.0} %");
    }

    /// <summary>The evidence for the verdict: chance first, then noise and power.</summary>
    public static string Evidence(MetricComparison metric)
    {
        List<string> parts = [];
        if (metric.Ratio is { } ratio)
            parts.Add(Invariant($"ratio {ratio:0.000}"));
        if (metric is { Low: { } low, High: { } high })
            parts.Add(Invariant($"{LogRatio.Confidence * 100:0} % interval {low:0.000} to {high:0.000}"));
        var samples = metric.BetweenRuns is null && metric.Ratio is not null ? "runs" : "repeats";
        parts.Add(Invariant($"{metric.BeforeCount} and {metric.AfterCount} {samples}"));
        if (metric.PValue is { } p)
            parts.Add(
                metric.CorrectedPValue is { } corrected
                    ? $"chance: p {Probability(p)}, corrected {Probability(corrected)}"
                    : $"chance: p {Probability(p)}"
            );
        if (metric.NoiseFloor is { } floor)
            parts.Add(Invariant($"noise floor {floor * 100:0.0} %"));
        if (metric.BetweenRuns is { } between)
            parts.Add(
                Invariant($"between runs {between.Deviation * 100:0.0} %{(between.Runs == 0 ? " assumed" : $" from {between.Runs} runs")}")
            );
        if (metric.Power is { } power)
            parts.Add(Invariant($"{MetricFamilies.ShownChange * 100:0} % seen with probability {power:0.00}"));
        return string.Join(", ", parts);
    }

    /// <summary>The verdict of one metric, for instance <c>slower</c> or <c>no difference larger than 3.1 %</c>.</summary>
    public static string Words(MetricComparison metric)
    {
        return metric.Verdict switch
        {
            Verdict.Regressed => Direction(metric, isWorse: true),
            Verdict.Improved => Direction(metric, isWorse: false),
            Verdict.Same when metric is { Low: { } low, High: { } high } && Math.Max(1 - low, high - 1) is >= LeastShown and var largest =>
                Invariant($"no difference larger than {largest * 100:0.0} %"),
            Verdict.Same => "no difference",
            Verdict.Unstable when metric.BlocksNeeded is { } blocks =>
                $"inconclusive: about {blocks} more {(blocks == 1 ? "block" : "blocks")} would be needed",
            _ => Words(metric.Verdict),
        };
    }

    public static string Words(Verdict verdict) =>
        verdict switch
        {
            Verdict.Unstable => "inconclusive",
            Verdict.GeneratorLimited => "generator-limited",
            Verdict.NotComparable => "different conditions",
            Verdict.NotMeasured => "not measured",
            _ => verdict.ToString().ToLowerInvariant(),
        };

    /// <summary>
    /// Why the metrics of a verdict have it: a line for each scenario and reason. Metrics whose reasons differ only in the name of the
    /// metric share one line.
    /// </summary>
    public static IEnumerable<string> Reasons(RunComparison comparison, Verdict verdict)
    {
        const string Name = "\0";
        return from found in comparison.With(verdict)
               group found.Metric.Metric by (found.Scenario.Name, Reason: found.Metric.Reason.Replace(found.Metric.Metric, Name)) into alike
               select $"{alike.Key.Name}: {alike.Key.Reason.Replace(Name, string.Join(", ", alike))}";
    }

    /// <summary><see cref="CorrectnessOnly"/> where no scenario has a throughput because its operations are too few; else null.</summary>
    public static string? OnlyCorrectness(RunComparison comparison)
    {
        var throughputs = comparison
            .Scenarios.SelectMany(scenario => scenario.Metrics)
            .Where(metric => metric.Metric == ComparedMetric.Throughput)
            .ToArray();
        return throughputs.Any(metric => metric.HasTooFew) && throughputs.All(metric => metric is { Before: null, After: null })
            ? CorrectnessOnly
            : null;
    }

    /// <summary>What a reader must know before the metrics.</summary>
    public static IEnumerable<string> Introduction(RunComparison comparison)
    {
        return (
            (string?[])[.. comparison.NotPassed, OnlyCorrectness(comparison), comparison.Correction, BetweenRuns(comparison)]
        ).OfType<string>();
    }

    /// <summary>
    /// What two single runs cannot show: the source of the noise between runs, and its consequence. Null for a comparison in
    /// blocks.
    /// </summary>
    public static string? BetweenRuns(RunComparison comparison)
    {
        var judged = comparison
            .Scenarios.SelectMany(scenario => scenario.Metrics)
            .Where(metric => metric is { BetweenRuns: not null, CorrectedPValue: not null })
            .ToArray();
        if (judged.Length == 0)
            return null;

        var known = judged.Count(metric => metric.BetweenRuns!.Runs > 0);
        var limit = "A change must exceed it; smaller ones are inconclusive between runs, and 'ab' can see them.";
        return known == judged.Length
            ? $"Noise between runs: learned from runs. {limit}"
            : $"Noise between runs: not known of {judged.Length - known} of {judged.Length} metrics, because the history has fewer than "
                + $"{RunNoise.FewestRuns} runs of the series; "
                + $"6 % is assumed of times and 1 % of counts. {limit}";
    }

    private static string Direction(MetricComparison metric, bool isWorse) =>
        metric.Metric switch
        {
            ComparedMetric.Errors or ComparedMetric.DeadLetters => isWorse ? "worse" : "better",
            _ when metric.Metric.StartsWith(ComparedMetric.CostPrefix, Ordinal) => isWorse ? "more expensive" : "cheaper",
            _ => isWorse ? "slower" : "faster",
        };

    internal static string Probability(double p) => p < 0.0001 ? "below 0.0001" : Invariant($"{p:0.####}");

    /// <summary>At least three digits, whatever the size.</summary>
    internal static string Value(double? value) =>
        value is not { } number
            ? Figure.None
            : number.ToString(
                Math.Abs(number) switch
                {
                    >= 100 => "#,0",
                    >= 10 => "0.0",
                    >= 1 => "0.00",
                    _ => "0.0000",
                },
                CultureInfo.InvariantCulture
            );
}

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>One metric over the repeats of two runs that may be compared.</summary>
internal static class MetricComparer
{
    public static MetricDraft Compare(
        ComparedMetric metric,
        IReadOnlyList<ScenarioResult> before,
        IReadOnlyList<ScenarioResult> after,
        ComparisonSettings settings
    )
    {
        var compared = Begin(metric, before, after, settings);
        if (compared.Reason.Length > 0)
            return new(compared);

        var (left, right) = (Values(metric, before), Values(metric, after));
        var between = settings.BetweenRuns.GetValueOrDefault((before[0].Name, metric.Name)) ?? RunNoise.Assumed(metric);
        var ratio = RunsEstimate.Of(left, right, between);
        compared = compared with { Ratio = ratio.Ratio, BetweenRuns = between, PermutationPValue = MannWhitney.PValue(left, right) };
        if (Math.Min(left.Length, right.Length) > 1)
            compared = MetricFamilies.WithFigures(compared, ratio);
        return MannWhitney.LeastPValue(left.Length, right.Length) > MetricFamilies.PermutationSignificance
                ? new(
                    compared with
                    {
                        Verdict = Verdict.Unstable,
                        Reason =
                            $"{left.Length} and {right.Length} repeats cannot separate a change from chance; at least five on each side "
                            + $"are needed.",
                    }
                )
            : new(compared) { Ratio = ratio, Floor = settings.NoiseFloorOf(metric.Name) };
    }

    /// <summary>Figures and counts of both sides. It has a reason when they have no ratio, and then a verdict as well.</summary>
    internal static MetricComparison Begin(
        ComparedMetric metric,
        IReadOnlyList<ScenarioResult> before,
        IReadOnlyList<ScenarioResult> after,
        ComparisonSettings settings
    )
    {
        var (left, right) = (Values(metric, before), Values(metric, after));
        var compared = new MetricComparison
        {
            Metric = metric.Name,
            Unit = metric.Unit,
            HigherIsBetter = metric.Direction switch
            {
                MetricDirection.HigherIsBetter => true,
                MetricDirection.Neutral => null,
                _ => false,
            },
            Verdict = Verdict.NotMeasured,
            Reason = "",
            Before = Typical(left),
            After = Typical(right),
            BeforeCount = left.Length,
            AfterCount = right.Length,
            MinimumEffect = settings.MinimumEffectOf(metric.Name),
            IsPrimary = metric.IsPrimary,
        };
        if (left.Length == 0 || right.Length == 0)
            return compared with
            {
                Reason = MissingReason(metric, left.Length == 0 ? before : after, left.Length == 0 ? "base" : "candidate"),
            };
        if (TooFew(metric, before.Concat(after)) is { } operations)
        {
            return compared with
            {
                HasTooFew = true,
                Before = TooFew(metric, before) is null ? compared.Before : null,
                After = TooFew(metric, after) is null ? compared.After : null,
                Verdict = Verdict.Unstable,
                Reason = TooFewReason(operations),
            };
        }

        if (left.Concat(right).All(value => value > 0))
            return compared;
        return left.Max() == 0 && right.Max() == 0 && (Lack(metric, before, "base") ?? Lack(metric, after, "candidate")) is { } lack
            ? compared with { Reason = lack }
            : JudgeZeros(compared, metric, left, right);
    }

    /// <summary>Repeats without the figure may have had one above 0; null when each has it.</summary>
    private static string? Lack(ComparedMetric metric, IReadOnlyList<ScenarioResult> repeats, string side)
    {
        var passed = Passed(repeats).ToArray();
        var lacking = passed.Where(repeat => metric.Read(repeat) is null).ToArray();
        return lacking.Length == 0
            ? null
            : $"It is 0 where it was measured, but {lacking.Length} of {passed.Length} repeats of the {side} have no {metric.Name}"
                + Why(metric, lacking);
    }

    /// <summary>Judges figures without a ratio. A count that must stay 0 needs no statistics: one is too many.</summary>
    private static MetricComparison JudgeZeros(MetricComparison compared, ComparedMetric metric, double[] before, double[] after)
    {
        if (before.Max() == 0 && after.Max() == 0)
            return compared with { Verdict = Verdict.Same, Reason = "It is 0 in every repeat of both sides." };
        if (metric.Direction != MetricDirection.StaysZero)
            return compared with { Verdict = Verdict.Unstable, Reason = "A repeat has a value of zero, so there is no ratio." };
        if (before.Max() == 0)
            return compared with
            {
                Verdict = Verdict.Regressed,
                Reason =
                    $"It must stay 0: it was 0 in every repeat of the base and is above 0 in {after.Count(value => value > 0)} of "
                    + $"{after.Length} of the candidate.",
            };

        // Both sides have some, so chance matters again.
        var p = MannWhitney.PValue(before, after);
        return compared with
        {
            PermutationPValue = p,
            Verdict =
                p > MetricFamilies.PermutationSignificance ? Verdict.Unstable
                : after.Average() > before.Average() ? Verdict.Regressed
                : Verdict.Improved,
            Reason =
                p > MetricFamilies.PermutationSignificance
                    ? Invariant($"It should be 0 and is on neither side, and the difference may be chance (p {p:0.####}).")
                    : Invariant($"It should be 0, and the difference is more than chance (p {p:0.####})."),
        };
    }

    /// <summary>The fewest operations of a repeat that passed, where they are too few for the metric; null where all have enough.</summary>
    internal static long? TooFew(ComparedMetric metric, IEnumerable<ScenarioResult> repeats) => Passed(repeats).Min(metric.TooFew);

    /// <summary>The sentence on <see cref="TooFew"/> operations.</summary>
    internal static string TooFewReason(long operations) => Invariant($"A repeat has only {operations:#,0} operations, which are too few.");

    /// <summary>The figures of the repeats that passed and have the metric.</summary>
    internal static double[] Values(ComparedMetric metric, IEnumerable<ScenarioResult> repeats) =>
        [.. Passed(repeats).Select(metric.Read).OfType<double>()];

    private static IEnumerable<ScenarioResult> Passed(IEnumerable<ScenarioResult> repeats) =>
        repeats.Where(repeat => repeat.ThroughputPerSecond is not null);

    /// <summary>The geometric mean, or the arithmetic mean when a value is not above zero; null without values.</summary>
    internal static double? Typical(double[] values) =>
        values.Length == 0 ? null
        : values.Min() > 0 ? Math.Exp(values.Average(value => Math.Log(value)))
        : values.Average();

    private static string MissingReason(ComparedMetric metric, IReadOnlyList<ScenarioResult> repeats, string side) =>
        repeats.All(repeat => repeat.ThroughputPerSecond is null)
            ? $"The {side}'s {repeats[0].Name} did not pass."
            : $"The {side} has no {metric.Name}{Why(metric, repeats)}";

    /// <summary>The end of a sentence about a figure that is missing: the first reason that a repeat has.</summary>
    private static string Why(ComparedMetric metric, IEnumerable<ScenarioResult> repeats) =>
        repeats.Select(metric.WhyMissing).OfType<string>().FirstOrDefault() is { } why ? $": {why}" : ".";
}

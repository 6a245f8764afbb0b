using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>One metric over the repeats of two runs that may be compared.</summary>
internal static class MetricComparer
{
    /// <summary>Of the rank test.</summary>
    private const double Significance = 0.01;

    public static MetricComparison Compare(
        ComparedMetric metric, IReadOnlyList<ScenarioResult> before, IReadOnlyList<ScenarioResult> after, ComparisonSettings settings)
    {
        var compared = Begin(metric, before, after, settings);
        if (compared.Reason.Length > 0)
            return compared;

        var (left, right) = (Values(metric, before), Values(metric, after));
        var estimate = RatioEstimate.Of(left, right);
        var floor = Math.Max(estimate.NoiseFloor, settings.NoiseFloorOf(before[0].Name, metric.Name));
        compared = compared with
        {
            Ratio = estimate.Ratio,
            PValue = MannWhitney.PValue(left, right),
            NoiseFloor = double.IsFinite(floor) ? floor : null,
        };
        if (Math.Min(left.Length, right.Length) > 1)
            compared = compared with { Low = estimate.Low, High = estimate.High };
        if (MannWhitney.LeastPValue(left.Length, right.Length) > Significance)
            return compared with
            {
                Verdict = Verdict.Unstable,
                Reason = $"{left.Length} and {right.Length} repeats can't tell a change from chance; five on each side is the least that can.",
            };
        return TooFewOperations(metric, before, after) is { } reason
            ? compared with { Verdict = Verdict.Unstable, Reason = reason }
            : Judge(compared, estimate, floor);
    }

    /// <summary>Figures and counts of both sides. It has a reason when they have no ratio, and then a verdict as well.</summary>
    internal static MetricComparison Begin(
        ComparedMetric metric, IReadOnlyList<ScenarioResult> before, IReadOnlyList<ScenarioResult> after, ComparisonSettings settings)
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
        };
        if (left.Length == 0 || right.Length == 0)
            return compared with { Reason = MissingReason(metric, left.Length == 0 ? before : after, left.Length == 0 ? "base" : "candidate") };
        return left.Concat(right).Any(value => value <= 0) ? JudgeZeros(compared, metric, left, right) : compared;
    }

    /// <summary>Where there is no ratio. What must stay 0 needs no statistics: one that happened is one too many.</summary>
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
                Reason = $"It must stay 0: it was 0 in every repeat of the base and is above 0 in {after.Count(value => value > 0)} of {after.Length} of the candidate.",
            };

        // Both sides have had some of it, so that chance counts again.
        var p = MannWhitney.PValue(before, after);
        return compared with
        {
            PValue = p,
            Verdict = p > Significance ? Verdict.Unstable : after.Average() > before.Average() ? Verdict.Regressed : Verdict.Improved,
            Reason = p > Significance
                ? Invariant($"It should be 0 and is on neither side, and the difference may be chance (p {p:0.####}).")
                : Invariant($"It should be 0, and the difference is more than chance (p {p:0.####})."),
        };
    }

    /// <summary>Why a percentile can't be judged; null when it can.</summary>
    internal static string? TooFewOperations(ComparedMetric metric, IReadOnlyList<ScenarioResult> before, IReadOnlyList<ScenarioResult> after) =>
        before.Concat(after).Min(repeat => repeat.ResponseTime.Count) < metric.FewestOperations
            ? $"A repeat has fewer than {metric.FewestOperations} operations, too few for the percentile: see the maximum."
            : null;

    internal static MetricComparison Judge(MetricComparison compared, RatioEstimate estimate, double floor)
    {
        var effect = compared.MinimumEffect;
        var isChance = compared.PValue > Significance || (estimate.Low <= 1 && estimate.High >= 1);
        var matters = Math.Abs(estimate.Ratio - 1) >= effect;
        var isAboveNoise = Math.Abs(Math.Log(estimate.Ratio)) >= Math.Log(1 + floor);
        if (!isChance && matters && isAboveNoise)
            return compared with
            {
                Verdict = compared.WorseBy is not { } worse ? Verdict.Changed : worse > 0 ? Verdict.Regressed : Verdict.Improved,
                Reason = Invariant($"More than chance (p {compared.PValue:0.####}), than the minimum effect of {effect * 100:0.#} % and than the noise floor of {floor * 100:0.#} %."),
            };
        if (estimate.Low > 1 - effect && estimate.High < 1 + effect)
            return compared with { Verdict = Verdict.Same, Reason = Invariant($"The whole interval lies within the minimum effect of {effect * 100:0.#} %.") };
        return compared with
        {
            Verdict = Verdict.Unstable,
            Reason = isChance ? Invariant($"It may be chance (p {compared.PValue:0.####}), and the interval reaches beyond the minimum effect of {effect * 100:0.#} %.")
                : !matters ? Invariant($"There is a difference, and whether it reaches the minimum effect of {effect * 100:0.#} % can't be told.")
                : Invariant($"The same code may differ as much: the noise floor is {floor * 100:0.#} %."),
        };
    }

    /// <summary>Of the repeats that passed and have the figure.</summary>
    internal static double[] Values(ComparedMetric metric, IEnumerable<ScenarioResult> repeats) =>
        [.. repeats.Where(repeat => repeat.ThroughputPerSecond is not null).Select(metric.Read).OfType<double>()];

    /// <summary>The geometric mean, or the arithmetic one where a value is not above zero; null of nothing.</summary>
    internal static double? Typical(double[] values) =>
        values.Length == 0 ? null
        : values.Min() > 0 ? Math.Exp(values.Average(value => Math.Log(value)))
        : values.Average();

    private static string MissingReason(ComparedMetric metric, IReadOnlyList<ScenarioResult> repeats, string side) =>
        repeats.All(repeat => repeat.ThroughputPerSecond is null)
            ? $"The {side}'s {repeats[0].Name} did not pass."
            : $"The {side} has no {metric.Name}.";
}

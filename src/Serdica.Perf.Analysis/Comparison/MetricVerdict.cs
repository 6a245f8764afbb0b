namespace Serdica.Perf.Analysis.Comparison;

/// <summary>
/// The verdict of one metric, and why. Chance, minimum effect and a noise floor are checked separately; none hides another.
/// </summary>
internal static class MetricVerdict
{
    private const int MostBlocks = 1_000;

    /// <summary>The power that a further comparison shall have.</summary>
    private const double WantedPower = 0.9;

    /// <param name="rate">Share of comparisons of equal code that may have an alarm in the family.</param>
    public static MetricComparison Of(MetricDraft draft, double corrected, double rate, int family)
    {
        var (ratio, effect) = (draft.Ratio!, draft.Compared.MinimumEffect);
        var compared = draft.Compared with
        {
            CorrectedPValue = corrected,
            Power = ratio.Power(MetricFamilies.ShownChange, rate / family, LeastMean(draft), draft.PermutationT),
        };
        var isChance = corrected > rate || compared.PermutationPValue > MetricFamilies.PermutationSignificance;
        var matters = Math.Abs(ratio.Ratio - 1) >= effect;
        if (!isChance && matters && Math.Abs(ratio.Mean) >= Math.Log(1 + draft.Floor))
        {
            return compared with
            {
                Verdict =
                    compared.WorseBy is not { } worse ? Verdict.Changed
                    : worse > 0 ? Verdict.Regressed
                    : Verdict.Improved,
                Reason = Invariant($"More than chance ({Chance(compared)}) and than the minimum effect of {effect * 100:0.#} %."),
            };
        }

        if (ratio.Low > 1 - effect && ratio.High < 1 + effect)
            return compared with
            {
                Verdict = Verdict.Same,
                Reason =
                    Invariant($"No difference larger than {Math.Max(1 - ratio.Low, ratio.High - 1) * 100:0.0} %: the whole interval ")
                    + Invariant($"lies within the minimum effect of {effect * 100:0.#} %."),
            };

        var needed = draft.Blocks is { } blocks ? BlocksNeeded(ratio, blocks, effect, rate / family) : null;
        return compared with
        {
            Verdict = Verdict.Unstable,
            BlocksNeeded = needed,
            Reason = $"{Why(compared, ratio, draft.Floor, isChance, matters)} {Outlook(compared, draft, needed)}",
        };
    }

    /// <summary>
    /// The mean of logarithms that both the minimum effect and the noise floor let pass where the metric becomes worse: a fall by an
    /// effect of 10 % is further from 0 than a rise by it. No fall reaches 100 %.
    /// </summary>
    private static double LeastMean(MetricDraft draft)
    {
        var effect = draft.Compared.MinimumEffect;
        var worse = draft.Compared.HigherIsBetter switch
        {
            false => Math.Log(1 + effect),
            _ when effect < 1 => -Math.Log(1 - effect),
            _ => double.PositiveInfinity,
        };
        return Math.Max(worse, Math.Log(1 + draft.Floor));
    }

    private static string Why(MetricComparison compared, LogRatio ratio, double floor, bool isChance, bool matters) =>
        ratio.SaysNothing ? "The figures lie so far apart that no statement is possible: the interval is wider than a factor of ten."
        : isChance ? $"It may be chance ({Chance(compared)})."
        : !matters
            ? Invariant(
                $"There is a difference, and whether it reaches the minimum effect of {compared.MinimumEffect * 100:0.#} % is open."
            )
        : Invariant($"It is more than chance, but the same code is known to differ by {floor * 100:0.#} % (noiseFloor).");

    private static string Chance(MetricComparison compared) =>
        $"p {Probability(compared.PValue)}, {Probability(compared.CorrectedPValue)} with the other metrics; "
        + $"{Probability(compared.PermutationPValue)} by {(compared.BetweenRuns is null ? "signs" : "ranks")}";

    private static string Probability(double? p) => ComparisonText.Probability(p!.Value);

    /// <summary>What further measurements would show.</summary>
    private static string Outlook(MetricComparison compared, MetricDraft draft, int? needed)
    {
        var power = Invariant(
            $"A change of {MetricFamilies.ShownChange * 100:0} % would have been seen with a probability of {compared.Power * 100:0} %"
        );
        if (draft.Blocks is not null)
        {
            return needed is { } more
                ? Invariant($"{power}; about {more} more blocks would be needed to distinguish one of ")
                    + Invariant($"{Math.Max(compared.MinimumEffect, Math.Abs(compared.Ratio!.Value - 1)) * 100:0.#} % from chance.")
                : $"{power}; more than {MostBlocks} blocks would be needed to distinguish it from chance.";
        }

        return $"{power}. Two single runs differ by more than their repeats show: measure in turn with 'ab' to see smaller changes.";
    }

    /// <summary>
    /// The further blocks, at the spread of these, that tell a change of the size that was found, or of the minimum effect, from
    /// chance; null when there are too many to measure. Whether a change also exceeds the minimum effect is no question of blocks.
    /// </summary>
    private static int? BlocksNeeded(LogRatio ratio, int blocks, double effect, double significance)
    {
        var change = Math.Max(Math.Exp(Math.Abs(ratio.Mean)) - 1, effect);
        double Power(int count) =>
            new LogRatio(0, ratio.StandardError * Math.Sqrt((double)blocks / count), Math.Max(ratio.Freedom, count - 1)).Power(
                change,
                significance
            );
        var (few, many) = (blocks, MostBlocks);
        if (blocks >= MostBlocks || !(Power(many) >= WantedPower))
            return null;
        if (ratio.StandardError == 0)
            return 1;

        // Each guess assumes a normal distribution; any gives the same number.
        double Shift(double power) => Normal.InvCDF(0, 1, power) - Normal.InvCDF(0, 1, significance / 2);
        var guess = blocks * Math.Pow(Shift(WantedPower) * ratio.StandardError / Math.Log(1 + change), 2);
        while (many - few > 1)
        {
            var middle = (int)Math.Clamp(Math.Ceiling(guess), few + 1, many - 1);
            var power = Power(middle);
            (few, many) = power >= WantedPower ? (few, middle) : (middle, many);
            guess = middle * Math.Pow(Shift(WantedPower) / Shift(power), 2);
        }

        return many - blocks;
    }
}

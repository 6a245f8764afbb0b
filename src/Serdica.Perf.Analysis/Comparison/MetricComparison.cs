using System.Text.Json.Serialization;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>One metric of one scenario, before and after, with the evidence for its verdict.</summary>
public sealed record MetricComparison
{
    /// <summary>For instance <c>p99</c>: see <see cref="ComparedMetric"/>.</summary>
    public required string Metric { get; init; }

    public string? Unit { get; init; }

    /// <summary>Null when neither is: the metric is shown, and not judged.</summary>
    public required bool? HigherIsBetter { get; init; }

    public required Verdict Verdict { get; init; }

    /// <summary>One sentence: why this verdict.</summary>
    public required string Reason { get; init; }

    /// <summary>Geometric mean of the base's repeats; null when none has the figure.</summary>
    public double? Before { get; init; }

    /// <summary>The same of the candidate.</summary>
    public double? After { get; init; }

    /// <summary>Repeats of the base that have the figure.</summary>
    public int BeforeCount { get; init; }

    /// <summary>Repeats of the candidate that have the figure.</summary>
    public int AfterCount { get; init; }

    /// <summary>After over before; null when one of them is missing or zero.</summary>
    public double? Ratio { get; init; }

    /// <summary>Lower end of the ratio's 99 % interval; null with one repeat on a side, or when the interval is too wide to say anything.</summary>
    public double? Low { get; init; }

    /// <summary>Upper end, as <see cref="Low"/>.</summary>
    public double? High { get; init; }

    /// <summary>How probable a ratio at least as far from 1 is when both sides are alike, by Student's t.</summary>
    public double? PValue { get; init; }

    /// <summary>The same with the correction for the number of metrics judged: the chance verdict rests on it. Null when the metric was not judged.</summary>
    public double? CorrectedPValue { get; init; }

    /// <summary>Of the test that assumes no distribution: ranks of the repeats of single runs, signs of blocks.</summary>
    public double? PermutationPValue { get; init; }

    /// <summary>Equal code differs by up to this much in 99 of 100 such comparisons, for instance 0.2; it decides nothing by itself.</summary>
    public double? NoiseFloor { get; init; }

    /// <summary>The probability that a change of <see cref="MetricFamilies.ShownChange"/> would have been more than chance.</summary>
    public double? Power { get; init; }

    /// <summary>
    /// Of an inconclusive comparison in blocks: further blocks with which a change as large as the measured one, or as the
    /// minimum effect where that is larger, is seen in nine of ten comparisons. Null when it is more than a thousand.
    /// </summary>
    public int? BlocksNeeded { get; init; }

    /// <summary>Of single runs: what makes two runs of equal code differ. Null in blocks, where it falls out.</summary>
    public RunNoise? BetweenRuns { get; init; }

    /// <summary>One of the few that code is judged by first; the others are informative and are corrected apart.</summary>
    public bool IsPrimary { get; init; }

    /// <summary>The smallest change that matters, for instance 0.05.</summary>
    public double MinimumEffect { get; init; }

    /// <summary>0.1 means that the candidate is 10 % worse, whichever way the metric goes; negative when it is better; null without a ratio or a direction.</summary>
    [JsonIgnore]
    public double? WorseBy => Ratio is { } ratio ? Worse(ratio) : null;

    /// <summary>The same of the interval's worse end: the candidate is hardly worse by more than this.</summary>
    [JsonIgnore]
    public double? WorseAtMost => (Low, High, HigherIsBetter) is ({ } low, { } high, { } higher) ? Worse(higher ? low : high) : null;

    private double? Worse(double ratio) => HigherIsBetter is not { } higher ? null : higher ? 1 - ratio : ratio - 1;
}

/// <summary>What a comparison says of one metric.</summary>
public enum Verdict
{
    /// <summary>Better by more than chance and the minimum effect.</summary>
    Improved,

    /// <summary>Worse by more than chance and the minimum effect; or above 0 where it must stay 0.</summary>
    Regressed,

    /// <summary>Another value by more than chance and the minimum effect, of a metric that has no better or worse.</summary>
    Changed,

    /// <summary>The whole confidence interval of the ratio lies within the minimum effect, or all values are 0.</summary>
    Same,

    /// <summary>Inconclusive: the repeats are too few or too far apart to tell a change from none.</summary>
    Unstable,

    /// <summary>The load generator was the limit of one side, so that the figure is not about the database.</summary>
    GeneratorLimited,

    /// <summary>The two sides were not measured alike; the reason says what differs.</summary>
    NotComparable,

    /// <summary>One side has no such figure.</summary>
    NotMeasured,
}

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>One metric of one scenario, before and after, with the evidence for its verdict.</summary>
internal sealed record MetricComparison
{
    /// <summary>The name of the metric, for instance <c>p99</c>: see <see cref="ComparedMetric"/>.</summary>
    public required string Metric { get; init; }

    public string? Unit { get; init; }

    /// <summary>Null when neither direction is better: the metric is shown and not judged.</summary>
    public required bool? HigherIsBetter { get; init; }

    public required Verdict Verdict { get; init; }

    /// <summary>Whether both sides have the figure and were compared, even if that was inconclusive.</summary>
    [JsonIgnore]
    public bool WasCompared => Verdict is not (Verdict.NotComparable or Verdict.GeneratorLimited or Verdict.NotMeasured);

    /// <summary>The reason for the verdict, in one sentence.</summary>
    public required string Reason { get; init; }

    /// <summary>Whether a repeat has too few operations for the figure. A side with such a repeat shows none.</summary>
    [JsonIgnore]
    public bool HasTooFew { get; init; }

    /// <summary>Geometric mean of the base's repeats; null when none has the figure, or one has too few operations for it.</summary>
    public double? Before { get; init; }

    /// <summary>As <see cref="Before"/>, of the candidate.</summary>
    public double? After { get; init; }

    /// <summary>The number of repeats of the base that have the figure.</summary>
    public int BeforeCount { get; init; }

    /// <summary>The number of repeats of the candidate that have the figure.</summary>
    public int AfterCount { get; init; }

    /// <summary>After over before; null when one of them is missing or zero.</summary>
    public double? Ratio { get; init; }

    /// <summary>
    /// Lower end of the ratio's 99 % interval; null with one repeat on a side, or when the interval is too wide to be meaningful.
    /// </summary>
    public double? Low { get; init; }

    /// <summary>Upper end, as <see cref="Low"/>.</summary>
    public double? High { get; init; }

    /// <summary>The probability of a ratio at least as far from 1 when both sides are equal, by Student's t.</summary>
    public double? PValue { get; init; }

    /// <summary>
    /// <see cref="PValue"/> corrected for the number of metrics judged; it decides about chance. Null when the metric was not
    /// judged.
    /// </summary>
    public double? CorrectedPValue { get; init; }

    /// <summary>The p of the test that assumes no distribution: of ranks for the repeats of single runs, of signs for blocks.</summary>
    public double? PermutationPValue { get; init; }

    /// <summary>
    /// Equal code differs by up to this much in 99 of 100 such comparisons, for instance 0.2; it decides nothing by itself.
    /// </summary>
    public double? NoiseFloor { get; init; }

    /// <summary>
    /// The probability that a change of <see cref="MetricFamilies.ShownChange"/> would have been found: by Student's t as if each
    /// metric had to pass first, by the test of signs, and beyond the minimum effect and a noise floor that is set.
    /// </summary>
    public double? Power { get; init; }

    /// <summary>
    /// For an inconclusive comparison in blocks: the further blocks with which nine of ten comparisons would show a change as
    /// large as the measured one, or as the minimum effect if that is larger. Null when more than a thousand are needed.
    /// </summary>
    public int? BlocksNeeded { get; init; }

    /// <summary>For single runs: the noise between runs of equal code. Null for blocks, where it cancels out.</summary>
    public RunNoise? BetweenRuns { get; init; }

    /// <summary>
    /// Whether it is one of the few metrics by which code is judged first; the others are informative and corrected separately.
    /// </summary>
    public bool IsPrimary { get; init; }

    /// <summary>The smallest change that matters, for instance 0.05.</summary>
    public double MinimumEffect { get; init; }

    /// <summary>
    /// 0.1 means that the candidate is 10 % worse, whichever way the metric goes; negative when it is better; null without a ratio or a
    /// direction.
    /// </summary>
    [JsonIgnore]
    public double? WorseBy => Ratio is { } ratio ? Worse(ratio) : null;

    /// <summary><see cref="WorseBy"/> at the worse end of the interval: the candidate is hardly worse by more than this.</summary>
    [JsonIgnore]
    public double? WorseAtMost => (Low, High, HigherIsBetter) is ({ } low, { } high, { } higher) ? Worse(higher ? low : high) : null;

    private double? Worse(double ratio) =>
        HigherIsBetter is not { } higher ? null
        : higher ? 1 - ratio
        : ratio - 1;
}

/// <summary>The verdict of a comparison on one metric.</summary>
internal enum Verdict
{
    /// <summary>Better by more than chance and the minimum effect.</summary>
    Improved,

    /// <summary>Worse by more than chance and the minimum effect; or above 0 where it must stay 0.</summary>
    Regressed,

    /// <summary>Changed by more than chance and the minimum effect, for a metric that has no better or worse.</summary>
    Changed,

    /// <summary>The whole confidence interval of the ratio lies within the minimum effect, or all values are 0.</summary>
    Same,

    /// <summary>Inconclusive: the repeats are too few or too widely spread to distinguish a change from none.</summary>
    Unstable,

    /// <summary>The load generator limited one side, so the figure does not describe the database.</summary>
    GeneratorLimited,

    /// <summary>The conditions of the two sides differ; the reason says how.</summary>
    NotComparable,

    /// <summary>One side lacks the figure.</summary>
    NotMeasured,
}

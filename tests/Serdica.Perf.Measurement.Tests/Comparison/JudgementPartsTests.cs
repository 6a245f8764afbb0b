using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>
/// A change must pass the rank test, the interval, the minimum effect and the noise floor. In figures of runs they mostly agree,
/// so that one could be left out and no verdict would change: here each is alone in what it says.
/// </summary>
public sealed class JudgementPartsTests
{
    /// <summary>A fifth slower, and no part doubts it.</summary>
    private static readonly RatioEstimate Slower = new(0.8, 0.75, 0.85, 0.1);

    [Fact]
    public void Change_that_passes_all_four_counts() => Assert.Equal(Verdict.Regressed, Judge(0.001, Slower));

    [Theory]
    [InlineData(0.01, Verdict.Regressed)]
    [InlineData(0.0101, Verdict.Unstable)]
    public void Rank_test_alone_makes_it_chance(double p, Verdict verdict) => Assert.Equal(verdict, Judge(p, Slower));

    [Theory]
    [InlineData(0.75, 0.999, Verdict.Regressed)]
    [InlineData(0.75, 1.0, Verdict.Unstable)]
    [InlineData(0.75, 1.2, Verdict.Unstable)]
    public void Interval_alone_makes_it_chance_for_a_lower_figure(double low, double high, Verdict verdict) =>
        Assert.Equal(verdict, Judge(0.001, Slower with { Low = low, High = high }));

    [Theory]
    [InlineData(1.001, Verdict.Improved)]
    [InlineData(1.0, Verdict.Unstable)]
    [InlineData(0.9, Verdict.Unstable)]
    public void Interval_alone_makes_it_chance_for_a_higher_figure(double low, Verdict verdict) =>
        Assert.Equal(verdict, Judge(0.001, new(1.25, low, 1.4, 0.1)));

    [Theory]
    [InlineData(0.2499, Verdict.Regressed)]
    [InlineData(0.2501, Verdict.Unstable)]
    public void Noise_floor_alone_makes_it_noise(double floor, Verdict verdict) => Assert.Equal(verdict, Judge(0.001, Slower with { NoiseFloor = floor }));

    [Theory]
    [InlineData(1.25, 0.2499, Verdict.Improved)]
    [InlineData(1.25, 0.2501, Verdict.Unstable)]
    public void Noise_floor_is_a_factor_in_both_directions(double ratio, double floor, Verdict verdict) =>
        Assert.Equal(verdict, Judge(0.001, new(ratio, 1.2, 1.3, floor)));

    [Theory]
    [InlineData(0.19, Verdict.Regressed)]
    [InlineData(0.21, Verdict.Unstable)]
    public void Minimum_effect_alone_makes_it_too_small(double effect, Verdict verdict) =>
        Assert.Equal(verdict, Judge(0.001, Slower, effect));

    [Theory]
    [InlineData(0.96, 1.04, Verdict.Same)]
    [InlineData(0.95, 1.04, Verdict.Unstable)]
    [InlineData(0.96, 1.05, Verdict.Unstable)]
    public void Same_is_only_what_lies_within_the_minimum_effect_as_a_whole(double low, double high, Verdict verdict) =>
        Assert.Equal(verdict, Judge(0.5, new(1, low, high, 0.1), effect: 0.05));

    [Fact]
    public void Reason_names_the_part_that_doubts()
    {
        Assert.StartsWith("It may be chance (p 0.02)", Reason(0.02, Slower), StringComparison.Ordinal);
        Assert.Equal("The same code may differ as much: the noise floor is 30 %.", Reason(0.001, Slower with { NoiseFloor = 0.3 }));
        Assert.StartsWith("There is a difference, and whether it reaches the minimum effect of 25 %", Reason(0.001, Slower, 0.25), StringComparison.Ordinal);
        Assert.StartsWith("More than chance (p 0.001), than the minimum effect of 5 % and than the noise floor of 10 %", Reason(0.001, Slower), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, 0.8, Verdict.Regressed)]
    [InlineData(true, 1.25, Verdict.Improved)]
    [InlineData(false, 0.8, Verdict.Improved)]
    [InlineData(false, 1.25, Verdict.Regressed)]
    [InlineData(null, 1.25, Verdict.Changed)]
    public void Direction_of_the_metric_decides_which_way_is_worse(bool? higherIsBetter, double ratio, Verdict verdict)
    {
        var compared = Compared(0.001, 0.05, ratio) with { HigherIsBetter = higherIsBetter };

        Assert.Equal(verdict, MetricComparer.Judge(compared, new(ratio, ratio - 0.01, ratio + 0.01, 0.1), 0.1).Verdict);
    }

    private static Verdict Judge(double p, RatioEstimate estimate, double effect = 0.05) => Judged(p, estimate, effect).Verdict;

    private static string Reason(double p, RatioEstimate estimate, double effect = 0.05) => Judged(p, estimate, effect).Reason;

    private static MetricComparison Judged(double p, RatioEstimate estimate, double effect) =>
        MetricComparer.Judge(Compared(p, effect, estimate.Ratio), estimate, estimate.NoiseFloor);

    private static MetricComparison Compared(double p, double effect, double ratio) => new()
    {
        Metric = ComparedMetric.Throughput,
        HigherIsBetter = true,
        Verdict = Verdict.NotMeasured,
        Reason = "",
        PValue = p,
        Ratio = ratio,
        MinimumEffect = effect,
    };
}

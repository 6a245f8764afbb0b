namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>How a change is put into words: its size, its direction, and what is known of the noise.</summary>
public sealed class ComparisonTextTests
{
    [Theory]
    [InlineData(10_000, 8_000, "10,000 to 8,000 op/s, 20.0 % slower")]
    [InlineData(10_000, 12_000, "10,000 to 12,000 op/s, 20.0 % faster")]
    [InlineData(16_959, 680, "16,959 to 680 op/s, 25 times slower")]
    [InlineData(10_000, 19_900, "10,000 to 19,900 op/s, 99.0 % faster")]
    [InlineData(10_000, 20_000, "10,000 to 20,000 op/s, 2.0 times faster")]
    [InlineData(1_000, 10_000, "1,000 to 10,000 op/s, 10 times faster")]
    [InlineData(1_000, 9_900, "1,000 to 9,900 op/s, 9.9 times faster")]
    [InlineData(10_000, 9_996, "10,000 to 9,996 op/s")]
    [InlineData(10_000, 9_994, "10,000 to 9,994 op/s, 0.1 % slower")]
    [InlineData(10_000, 10_004, "10,000 to 10,004 op/s")]
    [InlineData(10_000, 10_006, "10,000 to 10,006 op/s, 0.1 % faster")]
    public void Change_is_a_share_up_to_twice_and_a_factor_above_and_silent_where_none_is_seen(double before, double after, string text) =>
        Assert.Equal(text, ComparisonText.Change(Throughput(before, after)));

    [Fact]
    public void Change_without_a_unit_or_a_direction_is_its_figures()
    {
        Assert.Equal("3.00 to 4.00", ComparisonText.Change(Throughput(3, 4) with { Unit = null, HigherIsBetter = null }));
        Assert.Equal("– to 4.00 op/s", ComparisonText.Change(Throughput(3, 4) with { Before = null, Ratio = null }));
    }

    [Theory]
    [InlineData("cost.walBytes", 2, 1, "2.0 times cheaper")]
    [InlineData("cost.walBytes", 10, 11, "10.0 % more expensive")]
    [InlineData("errors", 1, 1.5, "50.0 % worse")]
    [InlineData("deadLetters", 3, 2, "33.3 % better")]
    [InlineData("p99", 3, 2, "33.3 % faster")]
    public void Words_of_a_change_are_those_of_its_metric(string metric, double before, double after, string words) =>
        Assert.EndsWith($", {words}", ComparisonText.Change(Throughput(before, after) with { Metric = metric, HigherIsBetter = false }));

    [Theory]
    [InlineData(0.96, 1.01, "no difference larger than 4.0 %")]
    [InlineData(0.99, 1.03, "no difference larger than 3.0 %")]
    [InlineData(0.9996, 1.0004, "no difference")]
    public void Equal_figures_say_the_end_of_the_interval_that_is_farther_from_none(double low, double high, string expected) =>
        Assert.Equal(expected, ComparisonText.Words(Throughput(1, 1) with { Verdict = Verdict.Same, Low = low, High = high }));

    [Theory]
    [InlineData(null, "inconclusive")]
    [InlineData(1, "inconclusive: about 1 more block would be needed")]
    [InlineData(2, "inconclusive: about 2 more blocks would be needed")]
    public void Inconclusive_figures_say_how_many_more_blocks_would_be_needed(int? blocks, string expected) =>
        Assert.Equal(expected, ComparisonText.Words(Throughput(1, 1) with { Verdict = Verdict.Unstable, BlocksNeeded = blocks }));

    /// <summary>With three digits or more, and never in powers of ten.</summary>
    [Theory]
    [InlineData(1_234_567.0, "1,234,567")]
    [InlineData(100.0, "100")]
    [InlineData(99.94, "99.9")]
    [InlineData(9.994, "9.99")]
    [InlineData(0.1234, "0.1234")]
    [InlineData(-12.34, "-12.3")]
    [InlineData(null, "–")]
    public void Figure_has_three_digits_whatever_its_size(double? value, string expected) =>
        Assert.Equal(expected, ComparisonText.Value(value));

    [Theory]
    [InlineData(0.00009, "below 0.0001")]
    [InlineData(0.0001, "0.0001")]
    [InlineData(0.5, "0.5")]
    public void Probability_too_small_to_be_told_from_none_is_said_to_be_small(double p, string expected) =>
        Assert.Equal(expected, ComparisonText.Probability(p));

    [Fact]
    public void Evidence_leaves_out_what_is_not_known()
    {
        var metric = Throughput(100, 80) with { BeforeCount = 4, AfterCount = 5 };

        Assert.Equal("ratio 0.800, 4 and 5 runs", ComparisonText.Evidence(metric));
        Assert.Equal("4 and 5 repeats", ComparisonText.Evidence(metric with { Ratio = null }));
        Assert.Equal(
            "ratio 0.800, 99 % interval 0.700 to 0.900, 4 and 5 repeats, chance: p 0.02, noise floor 3.0 %, between runs 6.0 % assumed, "
                + "10 % seen with probability 0.75",
            ComparisonText.Evidence(
                metric with { Low = 0.7, High = 0.9, PValue = 0.02, NoiseFloor = 0.03, BetweenRuns = new(0.06, 8, 0), Power = 0.75 }
            )
        );
        Assert.EndsWith("chance: p 0.02, corrected 0.04", ComparisonText.Evidence(metric with { PValue = 0.02, CorrectedPValue = 0.04 }));
    }

    [Fact]
    public void Noise_between_runs_is_said_of_the_metrics_that_were_judged()
    {
        var judged = Throughput(1, 1) with { CorrectedPValue = 1, BetweenRuns = new(0.06, 8, 0) };
        var known = judged with { BetweenRuns = new(0.02, 10, 3) };

        Assert.Null(ComparisonText.BetweenRuns(With(Throughput(1, 1), judged with { CorrectedPValue = null })));
        Assert.StartsWith(
            "Noise between runs: not known of 2 of 3 metrics",
            ComparisonText.BetweenRuns(With(judged, known, judged, known with { CorrectedPValue = null }))
        );
        Assert.StartsWith("Noise between runs: learned from runs.", ComparisonText.BetweenRuns(With(known)));
    }

    private static RunComparison With(params MetricComparison[] metrics) =>
        new()
        {
            Base = "base",
            Candidate = "candidate",
            AllowUnlike = false,
            Scenarios = [new() { Name = SimulatedRuns.Name, Metrics = metrics }],
        };

    private static MetricComparison Throughput(double before, double after) =>
        new()
        {
            Metric = ComparedMetric.Throughput,
            Unit = "op/s",
            HigherIsBetter = true,
            Verdict = Verdict.Regressed,
            Reason = "",
            Before = before,
            After = after,
            Ratio = after / before,
        };
}

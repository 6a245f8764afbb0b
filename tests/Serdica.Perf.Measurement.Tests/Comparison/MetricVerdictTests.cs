namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Each condition of a verdict with all the others met, so that none can hide that another has no effect.</summary>
public sealed class MetricVerdictTests
{
    /// <summary>20 % less throughput, certain.</summary>
    private static readonly LogRatio Certain = new(Math.Log(0.8), 0.01, 9);

    [Fact]
    public void All_conditions_met_is_a_regression()
    {
        var compared = Judge(Certain);

        Assert.Equal(Verdict.Regressed, compared.Verdict);
        Assert.Equal("slower", ComparisonText.Words(compared));
    }

    [Theory]
    [InlineData(0.008, nameof(Verdict.Regressed))]
    [InlineData(0.0081, nameof(Verdict.Unstable))]
    public void The_corrected_p_alone_decides_on_chance(double corrected, string expected) =>
        Assert.Equal(expected, Judge(Certain, corrected).Verdict.ToString());

    [Theory]
    [InlineData(0.01, nameof(Verdict.Regressed))]
    [InlineData(0.011, nameof(Verdict.Unstable))]
    public void The_test_without_a_distribution_alone_prevents_a_regression(double permutation, string expected) =>
        Assert.Equal(expected, Judge(Certain, permutation: permutation).Verdict.ToString());

    [Theory]
    [InlineData(0.19, nameof(Verdict.Regressed))]
    [InlineData(0.21, nameof(Verdict.Unstable))]
    public void The_minimum_effect_alone_prevents_a_regression(double effect, string expected)
    {
        // An interval within the minimum effect would be another verdict.
        var wide = Certain with { StandardError = 0.05 };

        Assert.Equal(expected, Judge(wide, effect: effect).Verdict.ToString());
    }

    [Theory]
    [InlineData(0.24, nameof(Verdict.Regressed))]
    [InlineData(0.26, nameof(Verdict.Unstable))]
    public void A_set_noise_floor_alone_prevents_a_regression(double floor, string expected)
    {
        var compared = Judge(Certain, floor: floor);

        Assert.Equal(expected, compared.Verdict.ToString());
        if (expected == nameof(Verdict.Unstable))
            Assert.Contains("It is more than chance, but the same code is known to differ by 26 %", compared.Reason);
    }

    [Theory]
    [InlineData(0.24, nameof(Verdict.Improved))]
    [InlineData(0.26, nameof(Verdict.Unstable))]
    public void A_set_noise_floor_is_a_factor_in_both_directions(double floor, string expected) =>
        Assert.Equal(expected, Judge(Certain with { Mean = Math.Log(1.25) }, floor: floor).Verdict.ToString());

    [Theory]
    [InlineData(true, 0.8, nameof(Verdict.Regressed), "slower")]
    [InlineData(true, 1.25, nameof(Verdict.Improved), "faster")]
    [InlineData(false, 0.8, nameof(Verdict.Improved), "faster")]
    [InlineData(false, 1.25, nameof(Verdict.Regressed), "slower")]
    [InlineData(null, 1.25, nameof(Verdict.Changed), "changed")]
    public void The_direction_of_the_metric_decides_which_way_is_worse(bool? higherIsBetter, double ratio, string expected, string words)
    {
        var known = Certain with { Mean = Math.Log(ratio) };
        var compared = MetricVerdict.Of(
            new(Compared(known, 0.05, 0.002) with { HigherIsBetter = higherIsBetter }) { Ratio = known },
            0.001,
            MetricFamilies.PrimaryRate,
            5
        );

        Assert.Equal((expected, words), (compared.Verdict.ToString(), ComparisonText.Words(compared)));
    }

    /// <summary>A rise by 10 % reaches a minimum effect of 10 % in one of two comparisons. Its inverse is a fall by 9.1 %.</summary>
    [Theory]
    [InlineData(false, 0.5)]
    [InlineData(true, 0)]
    public void The_power_counts_the_minimum_effect_in_the_direction_that_is_worse(bool higherIsBetter, double expected)
    {
        var precise = new LogRatio(0, 0.001, 20);

        var compared = MetricVerdict.Of(
            new(Compared(precise, 0.1, 1) with { HigherIsBetter = higherIsBetter }) { Ratio = precise },
            1,
            MetricFamilies.PrimaryRate,
            5
        );

        Assert.Equal(expected, compared.Power!.Value, 2);
    }

    [Theory]
    [InlineData("cost.engineCpu", "more expensive")]
    [InlineData("errors", "worse")]
    [InlineData("p99", "slower")]
    public void The_words_of_a_regression_are_those_of_the_metric(string metric, string words) =>
        Assert.Equal(words, ComparisonText.Words(Judge(Certain) with { Metric = metric }));

    [Fact]
    public void The_reason_names_the_condition_that_failed()
    {
        Assert.StartsWith(
            "More than chance (p below 0.0001, 0.001 with the other metrics; 0.002 by signs) and than the minimum effect of 5 %.",
            Judge(Certain).Reason
        );
        Assert.StartsWith("It may be chance (p below 0.0001, 0.02 with the other metrics; 0.002 by signs).", Judge(Certain, 0.02).Reason);
        Assert.StartsWith(
            "There is a difference, and whether it reaches the minimum effect of 21 % is open.",
            Judge(Certain with { StandardError = 0.05 }, effect: 0.21).Reason
        );
    }

    [Fact]
    public void An_interval_within_the_minimum_effect_says_the_largest_difference()
    {
        var compared = Judge(new(0.01, 0.01, 9), corrected: 1, permutation: 1);

        Assert.Equal(Verdict.Same, compared.Verdict);
        Assert.Equal("no difference larger than 4.3 %", ComparisonText.Words(compared));
        Assert.StartsWith("No difference larger than 4.3 %:", compared.Reason);
    }

    [Theory]
    [InlineData(0.012, nameof(Verdict.Same))]
    [InlineData(0.016, nameof(Verdict.Unstable))]
    public void An_interval_that_reaches_beyond_the_minimum_effect_is_not_the_same(double error, string expected) =>
        Assert.Equal(expected, Judge(new(0, error, 9), corrected: 1, permutation: 1).Verdict.ToString());

    [Fact]
    public void What_is_inconclusive_says_its_power_and_the_blocks_that_are_needed()
    {
        var compared = Judge(new(Math.Log(0.92), 0.03, 9), corrected: 0.1);

        Assert.Equal(Verdict.Unstable, compared.Verdict);
        Assert.Equal($"inconclusive: about {compared.BlocksNeeded} more blocks would be needed", ComparisonText.Words(compared));
        Assert.Contains("A change of 10 % would have been seen with a probability of ", compared.Reason);

        // With that many more blocks of the same spread it is seen in nine of ten.
        var error = 0.03 * Math.Sqrt(5.0 / (5 + compared.BlocksNeeded!.Value));
        Assert.InRange(
            new LogRatio(0, error, 5 + compared.BlocksNeeded.Value - 1).Power(1 / 0.92 - 1, MetricFamilies.PrimaryRate / 5),
            0.9,
            0.95
        );
    }

    [Fact]
    public void An_interval_beyond_a_factor_of_ten_makes_no_statement()
    {
        var compared = Judge(new(0.2, 0.6, 9), corrected: 1, permutation: 1);

        Assert.Equal(Verdict.Unstable, compared.Verdict);
        Assert.Null(compared.Low);
        Assert.Null(compared.NoiseFloor);
        Assert.Contains("no statement is possible", compared.Reason);
        Assert.DoesNotContain("interval", ComparisonText.Evidence(compared));
    }

    [Fact]
    public void Primary_metrics_are_corrected_without_the_others()
    {
        var scenario = new ScenarioComparison { Name = "s", Metrics = [] };
        var ratio = Certain with { StandardError = 0.048 };
        MetricDraft Draft(bool isPrimary) => new(Compared(ratio, 0.05, 0.001) with { IsPrimary = isPrimary }) { Ratio = ratio };
        ScenarioDraft[] drafts = [new(scenario, [Draft(true), Draft(false), Draft(false)]), new(scenario, [Draft(true), Draft(false)])];

        var judged = MetricFamilies.Judge(drafts);

        // A p of 0.0012 again: twice it is within the rate of two primary metrics, and not within that of three others.
        Assert.Equal([Verdict.Regressed, Verdict.Unstable, Verdict.Unstable], judged[0].Metrics.Select(metric => metric.Verdict));
        Assert.Equal([Verdict.Regressed, Verdict.Unstable], judged[1].Metrics.Select(metric => metric.Verdict));
        Assert.Equal(2 * judged[0].Metrics[0].PValue!.Value, judged[0].Metrics[0].CorrectedPValue!.Value, 12);
        Assert.Equal(3 * judged[0].Metrics[0].PValue!.Value, judged[0].Metrics[1].CorrectedPValue!.Value, 12);
        Assert.Contains("2 primary (throughput, p50, p99, writing commits, bytes of log)", MetricFamilies.Sentence(drafts));
        Assert.Contains("and 3 others, which are informative", MetricFamilies.Sentence(drafts));
    }

    private static MetricComparison Judge(
        LogRatio ratio,
        double corrected = 0.001,
        double permutation = 0.002,
        double effect = 0.05,
        double floor = 0
    ) =>
        MetricVerdict.Of(
            new(Compared(ratio, effect, permutation))
            {
                Ratio = ratio,
                Floor = floor,
                Blocks = 5,
            },
            corrected,
            MetricFamilies.PrimaryRate,
            5
        );

    internal static MetricComparison Compared(LogRatio ratio, double effect, double permutation) =>
        MetricFamilies.WithFigures(
            new()
            {
                Metric = ComparedMetric.Throughput,
                HigherIsBetter = true,
                Verdict = Verdict.NotMeasured,
                Reason = "",
                MinimumEffect = effect,
                PermutationPValue = permutation,
            },
            ratio
        );
}

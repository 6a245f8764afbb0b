using MathNet.Numerics.Statistics;

namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class LogRatioTests
{
    [Fact]
    public void Interval_p_and_floor_are_those_of_the_table_of_students_t()
    {
        // At nine degrees of freedom the table has 3.250 for 99 % of both sides.
        var ratio = new LogRatio(0.1, 0.02, 9);

        Assert.Equal(Math.Exp(0.1 - 0.065), ratio.Low, 4);
        Assert.Equal(Math.Exp(0.1 + 0.065), ratio.High, 4);
        Assert.Equal(Math.Exp(0.065) - 1, ratio.NoiseFloor, 4);
        Assert.Equal(0.01, new LogRatio(3.2498 * 0.02, 0.02, 9).PValue, 5);
    }

    [Fact]
    public void Equal_samples_leave_nothing_to_chance()
    {
        Assert.Equal((1.0, 1.0, 1.0), (new LogRatio(0, 0, 9).PValue, new LogRatio(0, 0, 9).Low, new LogRatio(0, 0, 9).Power(0.01, 0.001)));
        Assert.Equal(0, new LogRatio(0.1, 0, 9).PValue);
    }

    [Theory]
    [InlineData(0.05, 5)]
    [InlineData(0.1, 9)]
    [InlineData(0.2, 15)]
    public void The_stated_power_is_how_often_a_change_is_found(double change, int freedom)
    {
        const double Error = 0.025;
        const int Comparisons = 20_000;
        var random = new Random(3);
        var found = Range(0, Comparisons)
            .Count(_ =>
            {
                var squares = Range(0, freedom).Sum(_ => Math.Pow(Noise.Normal(random), 2));
                return new LogRatio(
                        Math.Log(1 + change) + Error * Noise.Normal(random),
                        Error * Math.Sqrt(squares / freedom),
                        freedom
                    ).PValue <= 0.01;
            });

        Assert.Equal((double)found / Comparisons, new LogRatio(0, Error, freedom).Power(change, 0.01), 0.02);
    }

    [Fact]
    public void A_change_that_does_not_count_has_no_power_however_certain_it_is()
    {
        var certain = new LogRatio(0, 0.001, 9);

        Assert.Equal(1, certain.Power(0.1, 0.01), 6);
        Assert.Equal(0.5, certain.Power(0.1, 0.01, leastMean: Math.Log(1.1)), 6);
        Assert.Equal(0, certain.Power(0.1, 0.01, leastMean: 0.2), 6);
        Assert.Equal(0, certain.Power(0.1, 0.01, leastT: 2_000), 6);
        Assert.Equal((1.0, 0.0), (new LogRatio(0, 0, 9).Power(0.1, 0.01, 0.05), new LogRatio(0, 0, 9).Power(0.1, 0.01, 0.2)));
    }

    /// <summary>The test of signs of normal differences, moved until their t is the one that is named.</summary>
    [Theory]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(10)]
    public void From_the_usual_t_on_nine_of_ten_sets_of_differences_have_signs_that_agree(int count)
    {
        const int Sets = 1_000;
        var random = new Random(3);

        var agreed = Range(0, Sets)
            .Count(_ =>
            {
                double[] noise = [.. Range(0, count).Select(_ => Noise.Normal(random))];
                var shift = SignFlipTest.UsualT(count) * noise.StandardDeviation() / Math.Sqrt(count) - noise.Mean();
                return SignFlipTest.PValue([.. noise.Select(value => value + shift)]) <= MetricFamilies.PermutationSignificance;
            });

        Assert.InRange(agreed, 0.86 * Sets, 0.94 * Sets);
    }

    [Fact]
    public void Few_blocks_take_the_larger_error_of_blocks_and_halves()
    {
        // Halves differ and blocks do not; then blocks differ and their halves do not.
        var drifting = BlockEstimate.Of([0.1, -0.1, 0.12, -0.08, 0.1, -0.1, 0.12, -0.08]);
        var disturbed = BlockEstimate.Of([0.1, 0.1, -0.1, -0.1, 0.1, 0.1, -0.1, -0.1]);

        Assert.Equal(0.1077 / Math.Sqrt(8), drifting.StandardError, 3);
        Assert.Equal(0.1155 / Math.Sqrt(4), disturbed.StandardError, 3);
        // Halves that are alike tell nothing beside their blocks, and halves that differ as much as blocks are all samples.
        Assert.Equal((7, 3), (drifting.Freedom, disturbed.Freedom));
        Assert.Equal(7, BlockEstimate.Of([.. Range(0, 16).Select(index => 0.01 * index)]).Freedom);
    }

    [Fact]
    public void Holm_multiplies_the_least_p_by_their_number_and_never_lets_a_larger_p_pass_it()
    {
        Assert.Equal([0.03, 0.005, 0.03, 0.04, 0.9], Holm.Correct([0.01, 0.001, 0.0075, 0.02, 0.9]), (left, right) =>
            Math.Abs(left - right) < 1e-12
        );
        Assert.Equal([1.0, 1.0], Holm.Correct([0.6, 0.7]));
        Assert.Empty(Holm.Correct([]));
    }

    [Fact]
    public void Another_unit_changes_no_ratio_interval_or_p() =>
        Hold(Prop.ForAll(Values, Values, (first, second) =>
            {
                var (plain, scaled) = (
                    Ratio(first, second),
                    Ratio([.. first.Select(value => value * 1_000)], [.. second.Select(value => value * 1_000)])
                );
                return Near(plain.Ratio, scaled.Ratio)
                    && Near(plain.Low, scaled.Low)
                    && Near(plain.High, scaled.High)
                    && Near(plain.PValue, scaled.PValue);
            }));

    [Fact]
    public void Sides_that_change_places_turn_the_ratio_over_and_leave_p_and_floor() =>
        Hold(Prop.ForAll(Values, Values, (first, second) =>
            {
                var (there, back) = (Ratio(first, second), Ratio(second, first));
                return Near(there.Ratio * back.Ratio, 1)
                    && Near(there.Low * back.High, 1)
                    && Near(there.PValue, back.PValue)
                    && Near(there.NoiseFloor, back.NoiseFloor)
                    && Near(MannWhitney.PValue(first, second), MannWhitney.PValue(second, first));
            }));

    [Fact]
    public void Blocks_with_other_signs_turn_the_ratio_over_and_leave_p() =>
        Hold(Prop.ForAll(Values, values =>
            {
                double[] halves = [.. values.Select(value => Math.Log(value))];
                double[] other = [.. halves.Select(half => -half)];
                var (there, back) = (BlockEstimate.Of(halves), BlockEstimate.Of(other));
                return Near(there.Ratio * back.Ratio, 1)
                    && Near(there.Low * back.High, 1)
                    && Near(there.PValue, back.PValue)
                    && Near(SignFlipTest.PValue(halves), SignFlipTest.PValue(other));
            }));

    /// <summary>An even number, as halves of blocks are.</summary>
    private static Arbitrary<double[]> Values =>
        Gen.Choose(4, 9).SelectMany(count => Gen.Choose(500, 2_000).Select(value => value / 1_000.0).ArrayOf(2 * count)).ToArbitrary();

    private static LogRatio Ratio(double[] before, double[] after) => RunsEstimate.Of(before, after, new RunNoise(0.06, 8, 0));

    private static bool Near(double left, double right) => Math.Abs(left - right) <= 1e-9 * Math.Max(1, Math.Abs(left));
}

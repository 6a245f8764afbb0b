namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class MannWhitneyTests
{
    [Theory]
    [InlineData(new double[] { 1, 2, 3, 4, 5 }, new double[] { 6, 7, 8, 9, 10 }, 2.0 / 252)]
    [InlineData(new double[] { 1, 2, 3 }, new double[] { 4, 5, 6 }, 0.1)]
    [InlineData(new double[] { 1, 3, 5 }, new double[] { 2, 4, 6 }, 0.7)]
    [InlineData(new double[] { 7, 7, 7 }, new double[] { 7, 7, 7 }, 1)]
    [InlineData(new double[] { 1, 1, 2 }, new double[] { 2, 3, 3 }, 0.2)]
    public void Small_samples_have_the_exact_probability_with_ties_too(double[] first, double[] second, double expected)
    {
        Assert.Equal(expected, MannWhitney.PValue(first, second), 1e-9);
        Assert.Equal(expected, MannWhitney.PValue(second, first), 1e-9);
    }

    [Fact]
    public void Large_samples_of_one_distribution_are_rarely_unlikely()
    {
        var random = new Random(7);
        double[] Sample() => [.. Range(0, 30).Select(_ => Noise.Normal(random))];

        var unlikely = Range(0, 2_000).Count(_ => MannWhitney.PValue(Sample(), Sample()) <= 0.05);

        Assert.InRange(unlikely, 70, 130);
    }

    [Fact]
    public void Large_samples_agree_with_the_formula()
    {
        // U is 300 of 30 times 30: z = (150 - 0.5) / sqrt(30 * 30 * 61 / 12) without ties.
        double[] first = [.. Range(0, 30).Select(index => index < 20 ? index : 1_000.0 + index)];
        double[] second = [.. Range(0, 30).Select(index => 100.0 + index)];

        Assert.Equal(
            2 * MathNet.Numerics.Distributions.Normal.CDF(0, 1, -149.5 / Math.Sqrt(30 * 30 * 61 / 12.0)),
            MannWhitney.PValue(first, second),
            1e-9
        );
    }

    [Fact]
    public void The_exact_probability_is_that_of_all_ways_to_choose_a_side() =>
        Hold(Prop.ForAll(Ties(4).ToArbitrary(), Ties(3).ToArbitrary(), (first, second) =>
            {
                int[] all = [.. first, .. second];
                double Rank(int value) => all.Count(other => other < value) + (all.Count(other => other == value) + 1) / 2.0;
                double Distance(IEnumerable<int> side) => Math.Abs(side.Sum(Rank) - 4 * 8 / 2.0);
                var sides = Range(0, 1 << 7)
                    .Select(bits => all.Where((_, index) => (bits >> index & 1) == 1).ToArray())
                    .Where(side => side.Length == 4)
                    .ToArray();
                var extreme = sides.Count(side => Distance(side) >= Distance(first) - 1e-9);
                return Math.Abs(
                        (double)extreme / sides.Length
                            - MannWhitney.PValue([.. first.Select(value => (double)value)], [.. second.Select(value => (double)value)])
                    ) < 1e-9;
            }));

    [Fact]
    public void The_least_probability_is_that_of_sides_without_overlap()
    {
        Assert.Equal(MannWhitney.PValue([1, 2, 3, 4], [5, 6, 7, 8, 9]), MannWhitney.LeastPValue(4, 5), 1e-12);
        Assert.Equal(1, MannWhitney.LeastPValue(1, 1));
    }

    /// <summary>Few different values, so that most are ties.</summary>
    private static Gen<int[]> Ties(int count) => Gen.Choose(1, 3).ArrayOf(count);
}

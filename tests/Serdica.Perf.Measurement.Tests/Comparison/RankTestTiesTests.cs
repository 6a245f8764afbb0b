using MathNet.Numerics.Distributions;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Values that are equal share a rank: times of a coarse clock, and counts, are full of them.</summary>
public sealed class RankTestTiesTests
{
    /// <summary>Every choice of the first side is counted here one by one, without ranks' sums being shared out.</summary>
    [Theory]
    [InlineData(new double[] { 1, 2, 2, 3 }, new double[] { 2, 3, 4, 4, 5 })]
    [InlineData(new double[] { 1, 1, 1, 5 }, new double[] { 1, 1, 5, 5 })]
    [InlineData(new double[] { 3, 3, 1 }, new double[] { 2, 2, 2, 2, 2, 3 })]
    [InlineData(new double[] { 0, 0, 0, 0, 1 }, new double[] { 0, 0, 0, 0, 0 })]
    public void Exact_probability_is_that_of_counting_all_choices(double[] first, double[] second)
    {
        double[] all = [.. first, .. second];
        var ranks = all.Select(value => all.Count(other => other < value) + ((all.Count(other => other == value) + 1) / 2.0)).ToArray();
        var expected = first.Length * (all.Length + 1) / 2.0;
        var distances = Range(0, 1 << all.Length)
            .Where(choice => System.Numerics.BitOperations.PopCount((uint)choice) == first.Length)
            .Select(choice => Math.Abs(ranks.Where((_, index) => (choice >> index & 1) == 1).Sum() - expected))
            .ToArray();
        var observed = Math.Abs(ranks.Take(first.Length).Sum() - expected);

        Assert.Equal(
            distances.Count(distance => distance >= observed - 1e-9) / (double)distances.Length,
            MannWhitney.PValue(first, second),
            1e-9
        );
    }

    /// <summary>M. Hollander and D. A. Wolfe, <i>Nonparametric Statistical Methods</i>, section 4.1: ties take variance away.</summary>
    [Fact]
    public void Approximation_is_corrected_for_ties_and_for_continuity()
    {
        // 30 and 30 values, all 1 or 2: 10 and 20 of them are 2. Ranks are 15.5 and 45.5.
        double[] first = [.. Repeat(1.0, 20), .. Repeat(2.0, 10)];
        double[] second = [.. Repeat(1.0, 10), .. Repeat(2.0, 20)];
        var sum = (20 * 15.5) + (10 * 45.5);
        var variance = 30 * 30 / 12.0 * (61 - (2 * ((30.0 * 30 * 30) - 30) / (60 * 59)));
        var z = (Math.Abs(sum - (30 * 61 / 2.0)) - 0.5) / Math.Sqrt(variance);

        Assert.Equal(2 * Normal.CDF(0, 1, -z), MannWhitney.PValue(first, second), 1e-9);
        Assert.Equal(MannWhitney.PValue(first, second), MannWhitney.PValue(second, first), 1e-12);
    }

    [Fact]
    public void Many_values_that_are_all_equal_tell_nothing()
    {
        var same = Repeat(7.0, 30).ToArray();

        Assert.Equal(1, MannWhitney.PValue(same, same));
    }

    /// <summary>Sums that differ by less than the correction for continuity are as near as they can be.</summary>
    [Fact]
    public void Probability_is_never_above_one()
    {
        double[] even = [.. Range(0, 21).Select(index => 2.0 * index)];
        double[] odd = [.. Range(0, 21).Select(index => (2.0 * index) + (index % 2 == 0 ? 1 : -1))];

        Assert.InRange(MannWhitney.PValue(even, odd), 0.9, 1);
    }

    [Theory]
    [InlineData(0, 5)]
    [InlineData(5, 0)]
    public void Side_without_values_tells_nothing(int first, int second) =>
        Assert.Equal(1, MannWhitney.PValue(new double[first], new double[second]));
}

using MathNet.Numerics.Statistics;

namespace Serdica.Perf.Measurement.Tests.History;

/// <summary>The correlation that is found around estimated levels, against the one that made the series.</summary>
public sealed class AutocorrelationTests
{
    private const int Series = 1_500;

    [Theory]
    [InlineData(0.5, 30)]
    [InlineData(0.3, 30)]
    [InlineData(0.5, 100)]
    public void Correlation_around_two_levels_is_found_without_the_bias_of_their_means(double correlation, int points)
    {
        var random = new Random(11);

        var found = Range(0, Series)
            .Average(_ =>
            {
                var values = Process(random, correlation, points);
                return CorrelationOf(Autocorrelation.InflationAround(Distances(values[..(points / 2)]), Distances(values[(points / 2)..])));
            });

        Assert.InRange(found, correlation - 0.04, correlation + 0.04);
    }

    [Fact]
    public void Too_few_values_count_as_independent() =>
        Assert.Equal(1, Autocorrelation.InflationAround([1, 1, 1, 1, 1], [-1, -1, -1, -1, -1, -1]));

    [Theory]
    [InlineData(11, 1)]
    [InlineData(12, 19)]
    public void A_slope_of_twelve_values_is_correlated(int points, double inflation)
    {
        double[] slope = [.. Range(0, points).Select(index => (double)index)];

        Assert.Equal(inflation, Autocorrelation.Inflation(slope), 9);
        Assert.Equal(inflation > 1, Autocorrelation.InflationAround(Distances(slope)) > 1);
    }

    private static double CorrelationOf(double inflation) => (inflation - 1) / (inflation + 1);

    private static double[] Distances(double[] values) => [.. values.Select(value => value - values.Mean())];

    /// <summary>An autoregressive process of first order with the standard deviation 1.</summary>
    private static double[] Process(Random random, double correlation, int points)
    {
        var values = new double[points];
        values[0] = Noise.Normal(random);
        for (var i = 1; i < points; i++)
            values[i] = (correlation * values[i - 1]) + (Math.Sqrt(1 - (correlation * correlation)) * Noise.Normal(random));
        return values;
    }
}

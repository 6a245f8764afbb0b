namespace Serdica.Perf.Measurement.Tests.Sizing;

public sealed class RateLineTests
{
    private static readonly double[] Rates = [500, 1_000, 2_000, 4_000];

    [Theory]
    [InlineData(0.3, 0.0002)]
    [InlineData(0, 0.5)]
    public void A_straight_line_is_found_and_has_no_interval(double constant, double slope)
    {
        var line = RateLine.Fit(Rates.Select(rate => (rate, constant + slope * rate)))!;

        Assert.Equal(constant, line.Constant, 1e-9);
        Assert.Equal(slope, line.Slope, 1e-9);
        var far = line.At(1_000_000);
        Assert.Equal((1.0, 1.0), (Math.Round(far.Low / far.Value, 4), Math.Round(far.High / far.Value, 4)));
        Assert.Equal(far.Value, constant + slope * 1_000_000, 1e-3);
        var back = line.RateOf(far.Value);
        Assert.Equal((1.0, 1.0, 1.0), (Whole(back.Low), Whole(back.Value), Whole(back.High)));

        static double Whole(double rate) => Math.Round(rate / 1_000_000, 3);
    }

    /// <summary>By weighted least squares with the covariance of both parameters, computed with another program.</summary>
    [Theory]
    [InlineData(0, 0.30711, 0.55353, 0.79994)]
    [InlineData(1_500, 1.00243, 1.34776, 1.69308)]
    [InlineData(3_000, 1.54269, 2.14199, 2.74128)]
    [InlineData(100_000, 33.47791, 53.50211, 73.52630)]
    public void Interval_has_the_uncertainty_of_both_parts_and_of_a_step(double rate, double low, double use, double high)
    {
        var at = RateLine.Fit([(500, 0.8), (1_000, 1.15), (2_000, 1.55), (4_000, 2.7)])!.At(rate);

        Assert.Equal((low, use, high), (Math.Round(at.Low, 5), Math.Round(at.Value, 5), Math.Round(at.High, 5)));
    }

    /// <summary>The use of a machine that does nothing is not below nothing, whatever noise makes of four steps.</summary>
    [Fact]
    public void A_fixed_part_is_never_below_zero()
    {
        var line = RateLine.Fit([(500, 0.4), (1_000, 1.1), (2_000, 2.3), (4_000, 4.5)])!;

        Assert.Equal(0, line.Constant);
        Assert.InRange(line.Slope, 0.8 / 1_000, 1.2 / 1_000);
        Assert.True(line.RateOf(0) is { Value: 0, Low: 0, High: 0 });
    }

    [Fact]
    public void Interval_without_a_fixed_part_is_in_proportion_to_the_use()
    {
        var far = RateLine.Fit([(500, 0.4), (1_000, 1.1), (2_000, 2.3), (4_000, 4.5)])!.At(100_000);

        Assert.Equal((0.349, 1.651), (Math.Round(far.Low / far.Value, 3), Math.Round(far.High / far.Value, 3)));
    }

    [Fact]
    public void Few_rates_and_use_that_does_not_grow_have_no_line()
    {
        Assert.Null(RateLine.Fit([(500, 1), (1_000, 2), (2_000, 4)]));
        Assert.Null(RateLine.Fit([(500, 1), (500, 1.1), (1_000, 2), (2_000, 4)]));
        Assert.Null(RateLine.Fit([(500, 1), (1_000, 2), (2_000, 4), (4_000, 0)]));
        Assert.Null(RateLine.Fit([(500, 4), (1_000, 2), (2_000, 1), (4_000, 0.5)]));
        Assert.NotNull(RateLine.Fit([(500, 1), (1_000, 2), (2_000, 4), (4_000, 8)]));
    }

    [Fact]
    public void Limit_below_the_fixed_part_is_reached_without_load_and_uncertain_ones_perhaps_never()
    {
        Assert.Equal(0, RateLine.Fit(Rates.Select(rate => (rate, 1 + 0.001 * rate)))!.RateOf(0.5).Value);

        var line = RateLine.Fit([(500, 1.0), (1_000, 1.4), (2_000, 1.1), (4_000, 1.6)])!;
        Assert.Equal(0, line.At(100_000).Low);
        var uncertain = line.RateOf(100);

        Assert.True(uncertain.Low < uncertain.Value);
        Assert.Equal(double.PositiveInfinity, uncertain.High);
    }

    /// <summary>A further step, at four times the highest rate, lies in 95 of 100 intervals, and the ends of a rate say the same.</summary>
    [Theory]
    [InlineData(0.05)]
    [InlineData(0.15)]
    public void Interval_has_a_further_step_as_often_as_it_says(double noise)
    {
        const int Trials = 4_000;
        const double Far = 16_000;
        var random = new Random(5);
        double Use(double rate) => (0.5 + 0.001 * rate) * (1 + noise * Noise.Normal(random));

        var (use, rate) = (0, 0);
        for (var trial = 0; trial < Trials; trial++)
        {
            var line = RateLine.Fit(Rates.Concat(Rates).Select(rate => (rate, Use(rate))))!;
            var (at, measured) = (line.At(Far), Use(Far));
            use += at.Low <= measured && measured <= at.High ? 1 : 0;
            var back = line.RateOf(measured);
            rate += back.Low <= Far && Far <= back.High ? 1 : 0;
        }

        Assert.InRange((double)use / Trials, 0.93, 0.97);
        Assert.Equal(use, rate);
    }
}

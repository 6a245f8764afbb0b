using Serdica.Perf.Analysis.Soak;

namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class TrendTests
{
    private const int Simulations = 4_000;

    private static readonly Arbitrary<double[]> Series = Arb.From(
        from length in Gen.Choose(TrendTest.FewestPoints, 40)
        from values in Gen.ArrayOf(Gen.Choose(-1_000, 1_000), length)
        select values.Select(value => (double)value).ToArray()
    );

    [Theory]
    [InlineData(10)]
    [InlineData(20)]
    [InlineData(60)]
    public void Noise_raises_false_alarms_about_as_often_as_the_confidence_says(int points)
    {
        var alarms = Alarms(points, autocorrelation: 0, confidence: 0.9);

        // 10 % is nominal. The interval ends at whole ranks, so a short series has a little less.
        Assert.InRange(alarms, 0.05, 0.12);
    }

    [Fact]
    public void Noise_whose_neighbours_are_alike_raises_hardly_more()
    {
        var alarms = Alarms(60, autocorrelation: 0.5, confidence: 0.9);

        Assert.InRange(alarms, 0.02, 0.16);
    }

    [Theory]
    [InlineData(1, TrendVerdict.Rising)]
    [InlineData(-1, TrendVerdict.Falling)]
    public void A_trend_as_large_as_its_noise_is_found_and_its_slope_is_in_the_interval(int sign, TrendVerdict verdict)
    {
        var random = new Random(3);

        var trend = Of([.. Range(0, 20).Select(index => sign * index + 2 * Noise.Normal(random))]);

        Assert.Equal(verdict, trend.Verdict);
        Assert.InRange(sign, trend.Low!.Value, trend.High!.Value);
    }

    [Fact]
    public void One_wild_point_in_ten_neither_makes_a_trend_nor_hides_one()
    {
        double[] level = [5, 4, 5, 6, 5, 4, 6, 5, 5, 900];
        double[] rising = [1, 2, 3, 4, 900, 6, 7, 8, 9, 10];

        Assert.Equal(TrendVerdict.NotDifferentFromZero, Of(level).Verdict);
        Assert.Equal((TrendVerdict.Rising, 1.0), (Of(rising).Verdict, Of(rising).Slope));
    }

    [Fact]
    public void A_constant_has_no_trend() => Assert.Equal((TrendVerdict.NotDifferentFromZero, 0, 0, 0), Parts(Of([.. Repeat(5.0, 12)])));

    [Fact]
    public void Few_points_have_no_slope()
    {
        var trend = Of([.. Range(0, TrendTest.FewestPoints - 1).Select(index => (double)index)]);

        Assert.Equal((TrendVerdict.TooFew, null, TrendTest.FewestPoints - 1), (trend.Verdict, trend.Slope, trend.Points));
    }

    [Fact]
    public void The_fewest_points_are_enough_for_a_straight_line() =>
        Assert.Equal(TrendVerdict.Rising, Of([.. Range(0, TrendTest.FewestPoints).Select(index => (double)index)]).Verdict);

    /// <summary>Beside a line with such slopes nothing is left but rounding, and its neighbours may be alike.</summary>
    [Fact]
    public void A_straight_line_is_a_trend_whatever_its_slope() =>
        EachItem.Holds(Range(1, 400).Select(number => number / 100.0), slope =>
        {
            var points = Range(0, 54).Select(index => (index + 6.5) / 6).Select(at => (at, 100 + (slope * (at - 5.5))));

            Assert.Equal(TrendVerdict.Rising, TrendTest.Of([.. points]).Verdict);
            var falling = points.Take(TrendTest.FewestPoints).Select(point => (point.at, -slope * point.at));
            Assert.Equal(TrendVerdict.Falling, TrendTest.Of([.. falling]).Verdict);
        });

    /// <summary>Calculated by another program from Gilbert's formulas.</summary>
    [Fact]
    public void The_interval_ends_at_the_145th_of_435_slopes_from_either_end()
    {
        var trend = Of([.. Range(0, 30).Select(index => index * index * 7 % 31 + index / 2.0)]);

        Assert.Equal(7 / 11.0, trend.Slope!.Value, 9);
        Assert.Equal(0, trend.Low!.Value, 9);
        Assert.Equal(1.2, trend.High!.Value, 9);
    }

    /// <summary>Calculated as above: among 30 points a correlation of 0.26 may be chance.</summary>
    [Fact]
    public void Neighbours_that_are_alike_by_chance_widen_no_interval()
    {
        var trend = Of([.. Range(0, 30).Select(index => index * index * 4 % 19 + index / 2.0)]);

        Assert.Equal(3 / 26.0, trend.Low!.Value, 9);
        Assert.Equal(21 / 26.0, trend.High!.Value, 9);
    }

    [Fact]
    public void The_slope_is_in_its_interval_and_turns_with_the_series() => Hold(Prop.ForAll(Series, values =>
            {
                var (trend, turned) = (Of(values), Of([.. values.Select(value => -value)]));
                return (trend.Low is null || (trend.Low <= trend.Slope && trend.Slope <= trend.High))
                    && turned.Slope == -trend.Slope
                    && turned.Low == -trend.High;
            }));

    [Fact]
    public void A_level_that_is_added_changes_nothing() =>
        Hold(Prop.ForAll(Series, values => Of(values) == Of([.. values.Select(value => value + 4_096)])));

    private static double Alarms(int points, double autocorrelation, double confidence)
    {
        var random = new Random(11);
        var alarms = 0;
        for (var simulation = 0; simulation < Simulations; simulation++)
        {
            var value = Noise.Normal(random);
            var series = new double[points];
            for (var index = 0; index < points; index++)
                series[index] = value = autocorrelation * value + Math.Sqrt(1 - autocorrelation * autocorrelation) * Noise.Normal(random);
            if (Of(series, confidence).Verdict != TrendVerdict.NotDifferentFromZero)
                alarms++;
        }

        return (double)alarms / Simulations;
    }

    private static Trend Of(double[] values, double confidence = TrendTest.DefaultConfidence) =>
        TrendTest.Of([.. values.Select((value, index) => ((double)index, value))], confidence);

    private static (TrendVerdict Verdict, double Slope, double Low, double High) Parts(Trend trend) =>
        (trend.Verdict, trend.Slope!.Value, trend.Low!.Value, trend.High!.Value);
}

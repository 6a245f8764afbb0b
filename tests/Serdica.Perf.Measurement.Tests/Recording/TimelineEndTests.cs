namespace Serdica.Perf.Measurement.Tests.Recording;

/// <summary>The last interval of a chart: a few operations in a few milliseconds are not a rate.</summary>
public sealed class TimelineEndTests
{
    private static readonly Timeline Seconds = new()
    {
        IntervalMs = 1_000,
        Intervals = [new(0, 500, 500, 1), new(1_000, 600, 600, 2), new(2_000, 60, 120, 9)],
    };

    [Theory]
    [InlineData(2_500, 3)]
    [InlineData(2_499, 2)]
    [InlineData(2_010, 2)]
    public void End_of_less_than_half_an_interval_is_part_of_the_one_before(double windowMs, int intervals) =>
        Assert.Equal(intervals, Seconds.WithoutShortEnd(windowMs).Count);

    [Fact]
    public void Joined_interval_has_the_operations_and_the_time_of_both_and_the_p99_of_the_longer()
    {
        var joined = Seconds.WithoutShortEnd(2_200);

        Assert.Equal([Seconds.Intervals[0], new(1_000, 660, 550, 2)], joined);
    }

    [Fact]
    public void One_interval_stays_however_short_it_is()
    {
        var one = Seconds with { Intervals = [Seconds.Intervals[0]] };

        Assert.Same(one.Intervals, one.WithoutShortEnd(10));
    }
}

namespace Serdica.Perf.Measurement.Tests.Recording;

/// <summary>The mean number of operations that had arrived and not ended, by interval: what says whether a rate was sustained.</summary>
public sealed class BacklogTimelineTests
{
    private static readonly TimeSpan Until = Milliseconds(600);

    /// <summary>An event is spread over its millisecond, so a point of 10 ms is half a millisecond short at either end.</summary>
    [Fact]
    public void Operation_is_in_the_backlog_from_its_arrival_to_its_end()
    {
        var timeline = new BacklogTimeline();
        timeline.Arrive(Milliseconds(100));
        timeline.End(Milliseconds(300), Milliseconds(200));

        var points = timeline.Points(Until);

        Assert.Equal(BacklogTimeline.MostPoints, points.Count);
        Assert.Equal([0.005, 0.015, 0.595], new[] { 0, 1, 59 }.Select(index => Math.Round(points[index].AtSeconds, 9)));
        EachItem.Holds(points.Index(), point => Assert.Equal(Expected(point.Index), point.Item.Backlog, 1e-9));
        var end = Assert.Single(points, point => point.Completed > 0);
        Assert.Equal((points[30], 1, 200), (end, end.Completed, end.ResponseMs));

        static double Expected(int index) =>
            index switch
            {
                10 => 0.95,
                > 10 and < 30 => 1,
                30 => 0.05,
                _ => 0,
            };
    }

    [Fact]
    public void Operation_that_failed_leaves_the_backlog_and_completes_nothing()
    {
        var timeline = new BacklogTimeline();
        timeline.Arrive(Milliseconds(-5));
        timeline.End(Milliseconds(50));

        var points = timeline.Points(Until);

        Assert.Equal([0.95, 1, 0.05, 0], new[] { 0, 4, 5, 6 }.Select(index => Math.Round(points[index].Backlog, 9)));
        EachItem.Holds(points, point => Assert.Equal((0, null), (point.Completed, point.ResponseMs)));
    }

    [Fact]
    public void Response_time_of_a_point_is_the_mean_of_its_completions()
    {
        var timeline = new BacklogTimeline();
        foreach (var (at, response) in new[] { (201, 10), (205, 20), (209, 60), (211, 500) })
        {
            timeline.Arrive(TimeSpan.Zero);
            timeline.End(Milliseconds(at), Milliseconds(response));
        }

        var points = timeline.Points(Until);

        Assert.Equal((3, 30), (points[20].Completed, points[20].ResponseMs));
        Assert.Equal((1, 500), (points[21].Completed, points[21].ResponseMs));
        Assert.Null(points[22].ResponseMs);
    }

    /// <summary>600 intervals are kept; what comes later doubles their length, as often as it must.</summary>
    [Theory]
    [InlineData(599, 1)]
    [InlineData(600, 2)]
    [InlineData(1_200, 4)]
    [InlineData(3_600_000, 8_192)]
    public void Later_events_make_intervals_longer_and_lose_nothing(int lastMs, int intervalMs)
    {
        var timeline = new BacklogTimeline();
        for (var at = 0; at < 600; at++)
        {
            timeline.Arrive(Milliseconds(at));
            timeline.End(Milliseconds(at), Milliseconds(7));
        }

        timeline.Arrive(Milliseconds(lastMs));
        timeline.End(Milliseconds(lastMs), Milliseconds(7));

        // To the end of the last interval: an event is spread over its own.
        var end = ((lastMs / intervalMs) + 1) * intervalMs;
        var points = timeline.Points(Milliseconds(end));
        Assert.Equal(601, points.Sum(point => point.Completed), 1e-6);
        EachItem.Holds(points.Where(point => point.Completed > 0), point => Assert.Equal(7, point.ResponseMs!.Value, 1e-9));
        EachItem.Holds(points, point => Assert.Equal(0, point.Backlog, 1e-9));

        // No more and no less: at half the interval the last event would be whole in its first half.
        var half = timeline.Points(Milliseconds(end - (intervalMs / 2.0)));
        Assert.Equal(600.5, half.Sum(point => point.Completed), lastMs == 599 ? 1 : 0.6);
    }

    [Theory]
    [InlineData(500, 5_000)]
    [InlineData(5_000, 500)]
    [InlineData(500, 500)]
    public void Series_of_different_lengths_are_added_exactly(int firstMs, int secondMs)
    {
        var (one, other) = (new BacklogIntervals(), new BacklogIntervals());
        one.Arrive(Milliseconds(0).Ticks);
        one.End(Milliseconds(firstMs).Ticks, Milliseconds(30).Ticks);
        other.Arrive(Milliseconds(0).Ticks);
        other.End(Milliseconds(secondMs).Ticks, response: null);

        one.Merge(other);

        var end = (double)Milliseconds(6_400).Ticks;
        var all = one.Between(0, end);
        Assert.Equal((1, 30, 3.2), (all.Completed, all.ResponseMs, all.AtSeconds));

        // An arrival and an end lie in the middle of their interval of at most 16 ms.
        Assert.InRange(all.Backlog * 6_400, firstMs + secondMs - 32, firstMs + secondMs + 32);
        Assert.Equal(2, one.Between(Milliseconds(64).Ticks, Milliseconds(448).Ticks).Backlog, 1e-9);
        Assert.Equal(0, one.Between(Milliseconds(5_120).Ticks, end).Backlog, 1e-9);
    }

    [Fact]
    public void Time_of_no_length_has_no_points() => Assert.Empty(new BacklogTimeline().Points(TimeSpan.Zero));

    [Fact]
    public void Generators_are_added_over_the_time_of_the_shortest()
    {
        BacklogPoint[] one = [new(0.5, 2, 30, 10), new(1.5, 4, 0, null)];
        BacklogPoint[] equal = [new(0.5, 3, 10, 50), new(1.5, 1, 0, null)];
        BacklogPoint[] longer = [new(0.625, 3, 10, 50), new(1.875, 1, 5, 20)];

        Assert.Equal([new(0.5, 5, 40, 20), new(1.5, 5, 0, null)], BacklogPoint.Sum([one, equal]));
        Assert.Equal(one, BacklogPoint.Sum([one]));
        Assert.Empty(BacklogPoint.Sum([one, []]));

        // The longer one gives 80 % of the first interval, and then the rest of it and 60 % of the second.
        EachItem.Holds([(one, longer), (longer, one)], order =>
            Assert.Equal(
                [(0.5, 5, 38, 18.4211), (1.5, 5.5, 5, 32)],
                BacklogPoint
                    .Sum([order.Item1, order.Item2])
                    .Select(point =>
                        (
                            Math.Round(point.AtSeconds, 9),
                            Math.Round(point.Backlog, 9),
                            Math.Round(point.Completed, 9),
                            Math.Round(point.ResponseMs!.Value, 4)
                        )
                    )
            )
        );
    }

    private static TimeSpan Milliseconds(double milliseconds) => FromMilliseconds(milliseconds);
}

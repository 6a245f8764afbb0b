namespace Serdica.Perf.Measurement.Tests.Recording;

/// <summary>Which intervals a window has, and what is in each of them.</summary>
public sealed class TimelineIntervalsTests
{
    /// <summary>A second each, as soon as there are twenty of them.</summary>
    [Theory]
    [InlineData(0.1, 31.25)]
    [InlineData(1.249, 31.25)]
    [InlineData(1.25, 62.5)]
    [InlineData(19.999, 500)]
    [InlineData(20, 1_000)]
    [InlineData(600, 1_000)]
    public void Window_has_twenty_intervals_or_more_of_a_second_at_most(double seconds, double intervalMs) =>
        Assert.Equal(intervalMs, Recorded(0.05).Snapshot(FromSeconds(seconds)).IntervalMs);

    [Theory]
    [InlineData(30, 30)]
    [InlineData(30.0000001, 31)]
    [InlineData(30.5, 31)]
    public void Heat_map_has_the_intervals_of_the_timeline(double seconds, int count)
    {
        var (timeline, window) = (Recorded(0.5, 29.5), FromTicks((long)Math.Round(seconds * TimeSpan.TicksPerSecond)));

        var (line, map) = (timeline.Snapshot(window), timeline.Histograms(window));

        Assert.Equal((count, count), (line.Intervals.Count, map.Intervals.Count));
        Assert.Equal(line.IntervalMs, map.IntervalMs);
        Assert.Equal(line.Intervals.Select(interval => interval.Count), map.Intervals.Select(interval => interval.Counts.Sum()));
    }

    /// <summary>What came to a stop has a rate of nothing from there on, and not a shorter chart.</summary>
    [Fact]
    public void Window_after_the_last_completion_is_empty_to_its_end()
    {
        var timeline = Recorded(1, 2);

        var intervals = timeline.Snapshot(FromSeconds(700)).Intervals;

        Assert.Equal((700, 2), (intervals.Count, intervals.Sum(interval => interval.Count)));
        EachItem.Holds(intervals.Skip(2), interval => Assert.Equal((0, 0, null), (interval.Count, interval.PerSecond, interval.P99Ms)));
        Assert.Equal(2, timeline.Histograms(FromSeconds(700)).Intervals.Sum(interval => interval.Counts.Sum()));
    }

    /// <summary>The last completion belongs to the window, whose end it is.</summary>
    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(1.0000001, 1)]
    [InlineData(18.75, 18)]
    [InlineData(30, 29)]
    public void Completion_on_a_boundary_is_in_the_earlier_interval(double second, int index)
    {
        var intervals = Recorded(second).Snapshot(FromSeconds(30)).Intervals;

        Assert.Equal(index * 1_000, Assert.Single(intervals, interval => interval.Count > 0).OffsetMs);
    }

    /// <summary>Two are joined whenever the run becomes too long; what was recorded in them must stay apart from what follows.</summary>
    [Fact]
    public void Intervals_that_were_joined_hold_nothing_of_what_is_recorded_later()
    {
        var timeline = new ThroughputTimeline();
        for (var second = 0; second < 2_400; second++)
        {
            // The two halves of the run have different latencies.
            for (var part = 1; part <= 4; part++)
                timeline.Record(FromSeconds(second + (part / 4.0)), FromMilliseconds(second < 1_200 ? 2 : 40));
        }

        var intervals = timeline.Snapshot(FromSeconds(2_400)).Intervals;

        Assert.Equal(600, intervals.Count);
        EachItem.Holds(intervals, interval => Assert.Equal((16, 4), (interval.Count, interval.PerSecond)));
        EachItem.Holds(intervals.Take(300), interval => Assert.InRange(interval.P99Ms!.Value, 2, 2.1));
        EachItem.Holds(intervals.Skip(300), interval => Assert.InRange(interval.P99Ms!.Value, 40, 41));
    }

    /// <summary>A tenth of 25 intervals is two and a half.</summary>
    [Fact]
    public void Tail_ratio_takes_the_part_of_an_interval_that_lies_in_the_tenth()
    {
        long[] counts = [100, 80, 60, .. Repeat(50L, 19), 30, 20, 10];
        TimelineInterval[] intervals = [.. counts.Select((count, index) => new TimelineInterval(index * 1_000, count, count, 1))];

        Assert.Equal((15 + 20 + 10) / (100 + 80 + 30.0), ThroughputTimeline.TailRatio(intervals, 25_000)!.Value, 1e-9);

        // Only half of the last interval is in the window: its operations ended there, and the tenths are shorter.
        Assert.Equal((28.5 + 20 + 10) / (100 + 80 + 27.0), ThroughputTimeline.TailRatio(intervals, 24_500)!.Value, 1e-9);
    }

    private static ThroughputTimeline Recorded(params double[] seconds)
    {
        var timeline = new ThroughputTimeline();
        foreach (var second in seconds)
            timeline.Record(FromTicks((long)Math.Round(second * TimeSpan.TicksPerSecond)), FromMilliseconds(1));
        return timeline;
    }
}

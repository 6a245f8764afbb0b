namespace Serdica.Perf.Measurement.Tests.Recording;

public sealed class ThroughputTimelineTests
{
    private static readonly TimeSpan OneMillisecond = FromMilliseconds(1);

    [Fact]
    public void A_run_of_a_minute_has_intervals_of_a_second()
    {
        var timeline = Steady(perSecond: 100, seconds: 60).Snapshot(FromSeconds(60));

        Assert.Equal(1_000, timeline.IntervalMs);
        Assert.Equal(60, timeline.Intervals.Count);
        EachItem.Holds(timeline.Intervals, interval => Assert.Equal(100, interval.Count));
        EachItem.Holds(timeline.Intervals, interval => Assert.Equal(100, interval.PerSecond));
        Assert.Equal(59_000, timeline.Intervals[^1].OffsetMs);
    }

    [Fact]
    public void A_short_run_has_finer_intervals()
    {
        var timeline = Steady(perSecond: 1_000, seconds: 2).Snapshot(FromSeconds(2));

        Assert.Equal(62.5, timeline.IntervalMs);
        Assert.Equal(32, timeline.Intervals.Count);
        Assert.Equal(2_000, timeline.Intervals.Sum(interval => interval.Count));
    }

    [Fact]
    public void A_run_of_an_hour_stays_in_bounds_and_loses_nothing()
    {
        var timeline = Steady(perSecond: 2, seconds: 3_600).Snapshot(FromHours(1));

        Assert.Equal(8_000, timeline.IntervalMs);
        Assert.Equal(450, timeline.Intervals.Count);
        Assert.Equal(7_200, timeline.Intervals.Sum(interval => interval.Count));
        Assert.Equal(1, timeline.TailRatio);
    }

    [Fact]
    public void Once_reserved_it_takes_next_to_no_memory_however_long_it_records()
    {
        var reserved = new ThroughputTimeline();
        reserved.Reserve();

        Assert.InRange(AllocatedInAnHour(reserved), 0, AllocatedInAnHour(new ThroughputTimeline()) / 20);
        Assert.Equal(36_001, reserved.Snapshot(FromHours(1)).Intervals.Sum(interval => interval.Count));
    }

    private static long AllocatedInAnHour(ThroughputTimeline timeline)
    {
        timeline.Record(TimeSpan.Zero, OneMillisecond);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var tenth = 0; tenth < 36_000; tenth++)
            timeline.Record(FromMilliseconds(100 * tenth), OneMillisecond);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    [Fact]
    public void The_last_interval_is_divided_by_what_the_window_covers_of_it()
    {
        var timeline = Steady(perSecond: 100, seconds: 30.5).Snapshot(FromSeconds(30.5));

        Assert.Equal(31, timeline.Intervals.Count);
        Assert.Equal(50, timeline.Intervals[^1].Count);
        Assert.Equal(100, timeline.Intervals[^1].PerSecond);
        Assert.Equal(1, timeline.TailRatio!.Value, 1e-9);
    }

    [Fact]
    public void The_tail_ratio_tells_a_run_that_sags()
    {
        var recorder = new ThroughputTimeline();
        for (var second = 0; second < 40; second++)
        {
            var perSecond = second < 20 ? 100 : 50;
            for (var completion = 1; completion <= perSecond; completion++)
                recorder.Record(FromSeconds(second + completion / (double)perSecond), OneMillisecond);
        }

        Assert.Equal(0.5, recorder.Snapshot(FromSeconds(40)).TailRatio!.Value, 1e-9);
    }

    [Fact]
    public void Too_few_intervals_or_an_idle_begin_give_no_tail_ratio()
    {
        Assert.Null(ThroughputTimeline.TailRatio([.. Range(0, 19).Select(Interval)], 19_000));
        Assert.Null(ThroughputTimeline.TailRatio([.. Range(0, 20).Select(index => Interval(index) with { Count = 0 })], 20_000));
        Assert.Equal(1, ThroughputTimeline.TailRatio([.. Range(0, 20).Select(Interval)], 20_000));
    }

    [Fact]
    public void Each_interval_has_its_own_p99()
    {
        var recorder = new ThroughputTimeline();
        for (var second = 0; second < 30; second++)
        {
            for (var completion = 1; completion <= 100; completion++)
                recorder.Record(FromSeconds(second + 0.5), FromMilliseconds(second == 7 && completion > 98 ? 80 : 2));
        }

        var timeline = recorder.Snapshot(FromSeconds(30));

        Assert.InRange(timeline.Intervals[7].P99Ms!.Value, 80, 80 * (1 + LatencyHistogram.RelativeError));
        Assert.InRange(timeline.Intervals[8].P99Ms!.Value, 2, 2 * (1 + LatencyHistogram.RelativeError));
        Assert.Equal(timeline.Intervals[7].P99Ms, timeline.WorstP99Ms);
    }

    [Fact]
    public void Reports_show_no_p99_of_an_interval_with_fewer_than_a_hundred_completions()
    {
        var recorder = new ThroughputTimeline();
        for (var second = 0; second < 30; second++)
        {
            for (var completion = 1; completion <= (second == 7 ? 99 : 100); completion++)
                recorder.Record(FromSeconds(second + 0.5), FromMilliseconds(second == 7 ? 80 : 2));
        }

        var timeline = recorder.Snapshot(FromSeconds(30));

        Assert.Null(timeline.Intervals[7].ShownP99Ms);
        Assert.Equal(timeline.Intervals[8].P99Ms, timeline.Intervals[8].ShownP99Ms);
        Assert.Equal(timeline.Intervals[8].P99Ms, timeline.ShownWorstP99Ms);
    }

    [Fact]
    public void An_interval_without_completions_has_a_rate_of_zero_and_no_p99()
    {
        var recorder = new ThroughputTimeline();
        recorder.Record(FromSeconds(25), OneMillisecond);

        var timeline = recorder.Snapshot(FromSeconds(25));

        Assert.Equal(0, timeline.Intervals[0].PerSecond);
        Assert.Null(timeline.Intervals[0].P99Ms);
        Assert.Equal(1, timeline.Intervals[^1].Count);
    }

    [Fact]
    public void Nothing_is_lost_when_threads_record_across_a_doubling()
    {
        var recorder = new ThroughputTimeline();

        Parallel.For(0, 8, caller =>
        {
            for (var completion = 1; completion <= 5_000; completion++)
                recorder.Record(FromMilliseconds(completion * 10), OneMillisecond);
        });

        Assert.Equal(40_000, recorder.Snapshot(FromSeconds(50)).Intervals.Sum(interval => interval.Count));
    }

    [Fact]
    public void A_window_of_no_length_is_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ThroughputTimeline().Snapshot(TimeSpan.Zero));

    private static TimelineInterval Interval(int index) => new(index * 1_000, 10, 10, 1);

    private static ThroughputTimeline Steady(int perSecond, double seconds)
    {
        var timeline = new ThroughputTimeline();
        for (var completion = 1; completion <= perSecond * seconds; completion++)
            timeline.Record(FromSeconds(completion / (double)perSecond), OneMillisecond);
        return timeline;
    }
}

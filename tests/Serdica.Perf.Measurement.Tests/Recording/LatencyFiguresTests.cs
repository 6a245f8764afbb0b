namespace Serdica.Perf.Measurement.Tests.Recording;

/// <summary>What the figures of a histogram promise to those who read them.</summary>
public sealed class LatencyFiguresTests
{
    /// <summary>With fewer samples a percentile is just the maximum.</summary>
    [Theory]
    [InlineData(0, "")]
    [InlineData(9, "")]
    [InlineData(10, "p90")]
    [InlineData(19, "p90")]
    [InlineData(20, "p90 p95")]
    [InlineData(99, "p90 p95")]
    [InlineData(100, "p90 p95 p99")]
    [InlineData(999, "p90 p95 p99")]
    [InlineData(1_000, "p90 p95 p99 p99.9")]
    public void Percentile_is_shown_from_as_many_samples_as_it_needs(long count, string percentiles)
    {
        var full = new LatencySummary
        {
            Count = count,
            AverageMs = 1,
            MinMs = 2,
            P50Ms = 3,
            P90Ms = 4,
            P95Ms = 5,
            P99Ms = 6,
            P99Point9Ms = 7,
            MaxMs = 8,
        };

        Assert.Equal(
            full with
            {
                P90Ms = Shown("p90", 4),
                P95Ms = Shown("p95", 5),
                P99Ms = Shown("p99", 6),
                P99Point9Ms = Shown("p99.9", 7),
            },
            full.Shown()
        );

        double? Shown(string name, double value) => percentiles.Split(' ').Contains(name) ? value : null;
    }

    /// <summary>By nearest rank; each of the first 256 nanoseconds has a bucket of its own, so that the figures are exact.</summary>
    [Fact]
    public void Each_percentile_is_the_value_at_its_rank()
    {
        var figures = Latencies.Recorded(Range(1, 200).Select(number => (long)number)).Summarize();

        Assert.Equal(
            [1, 100, 180, 190, 198, 200, 200],
            new[] { figures.MinMs, figures.P50Ms, figures.P90Ms, figures.P95Ms, figures.P99Ms, figures.P99Point9Ms, figures.MaxMs }.Select(
                milliseconds => Math.Round(milliseconds!.Value * 1e6, 6)
            )
        );
    }

    /// <summary>A broken limit ends a test early, so that none may be counted that could have been within it.</summary>
    [Fact]
    public void What_is_counted_above_a_limit_is_surely_above_it_and_only_its_own_bucket_is_left_out() =>
        Hold(Prop.ForAll(Latencies.Some, Latencies.Some, (latencies, limits) => limits.All(limit =>
                {
                    var above = Latencies.Recorded(latencies).CountAbove(limit);
                    return above <= latencies.Count(latency => latency > limit)
                        && above >= latencies.Count(latency => latency > limit * (1 + LatencyHistogram.RelativeError) + 1);
                })));

    /// <summary>Each of the first 256 nanoseconds has a bucket of its own.</summary>
    [Theory]
    [InlineData(0, 200)]
    [InlineData(1, 199)]
    [InlineData(100, 100)]
    [InlineData(200, 0)]
    public void Count_above_a_limit_is_exact_where_every_value_has_its_bucket(double limit, long above) =>
        Assert.Equal(above, Latencies.Recorded(Range(1, 200).Select(number => (long)number)).CountAbove(limit));

    [Fact]
    public void Outermost_buckets_that_were_filled_since_a_snapshot_are_its_minimum_and_maximum()
    {
        var before = Latencies.Recorded([10, 90_000, -1]);

        Assert.Equal((1_000, 2_007), Extremes([1_000, 1_500, 2_000]));
        Assert.Equal((0, 255), Extremes([0, 255]));
        Assert.Equal((null, null), Extremes([]));
        Assert.Equal((1, 2), (before.OutOfRange, Latencies.Recorded([10, 90_000, -1, -1, long.MaxValue]).Since(before).OutOfRange));

        (long?, long?) Extremes(long[] after)
        {
            var all = Latencies.Recorded([10, 90_000, -1, .. after]);
            return (all.Since(before).MinNanoseconds, all.Since(before).MaxNanoseconds);
        }
    }

    [Fact]
    public void Values_outside_the_range_are_merged_with_the_others()
    {
        var merged = Latencies.Recorded([-1, 5]);

        merged.Merge(Latencies.Recorded([long.MaxValue, -7, 3]));

        Assert.Equal((5, 3, 0, long.MaxValue), (merged.Count, merged.OutOfRange, merged.MinNanoseconds, merged.MaxNanoseconds));
    }

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(0, 0)]
    [InlineData(3_600_000_000_000, 0)]
    [InlineData(3_600_000_000_001, 1)]
    public void Range_is_from_nothing_to_an_hour(long nanoseconds, int outOfRange)
    {
        Assert.Equal(outOfRange, Latencies.Recorded([nanoseconds]).OutOfRange);
        Assert.Equal(FromHours(1), LatencyHistogram.Highest);
    }

    [Fact]
    public void Latency_is_the_same_as_a_time_as_two_readings_and_as_nanoseconds()
    {
        var (histogram, recorder) = (new LatencyHistogram(), new ConcurrentLatencyRecorder());
        var (start, end) = (5 * Stopwatch.Frequency, (5 * Stopwatch.Frequency) + (Stopwatch.Frequency / 50));
        histogram.Record(FromMilliseconds(20));
        histogram.Record(start, end);
        histogram.Record(20_000_000);
        recorder.Record(FromMilliseconds(20));
        recorder.Record(start, end);
        recorder.Record(20_000_000);

        foreach (var all in (LatencyHistogram[])[histogram, recorder.Snapshot()])
            Assert.Equal((3, 20_000_000, 20_000_000), (all.Count, all.MinNanoseconds, all.MaxNanoseconds));
    }

    [Fact]
    public void Buckets_meet_without_gap_or_overlap_over_the_whole_range()
    {
        for (var index = 0; index < LogLinearBuckets.Count - 1; index++)
        {
            var highest = LogLinearBuckets.HighestOf(index);
            Assert.Equal((index, index + 1), (LogLinearBuckets.IndexOf(highest), LogLinearBuckets.IndexOf(highest + 1)));
        }

        Assert.Equal(LogLinearBuckets.Count - 1, LogLinearBuckets.IndexOf(LogLinearBuckets.HighestNanoseconds));
    }

    /// <summary>The nearest rank, as everywhere.</summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(99, 99)]
    [InlineData(100, 99)]
    [InlineData(101, 100)]
    [InlineData(200, 198)]
    public void P99_of_an_interval_is_the_value_that_one_in_a_hundred_exceeds(int count, long p99)
    {
        var interval = new IntervalCounts();
        for (var latency = 1; latency <= count; latency++)
            interval.Record(latency);

        Assert.Equal(p99, interval.P99Nanoseconds);
        Assert.Equal(p99, Latencies.Recorded(Range(1, count).Select(latency => (long)latency)).ValueAtPercentile(99));
    }
}

namespace Serdica.Perf.Measurement.Tests.Recording;

public sealed class IntervalHistogramsTests
{
    [Fact]
    public void Every_completion_is_in_the_bucket_of_its_latency_and_the_interval_of_its_end() =>
        Hold(Prop.ForAll(Gen.Choose(1, 40_000).Two().ListOf(200).ToArbitrary(), completions =>
            {
                var timeline = new ThroughputTimeline();
                foreach (var (at, latency) in completions)
                    timeline.Record(FromMilliseconds(at), FromMicroseconds(latency));

                var intervals = timeline.Histograms(FromSeconds(40));

                foreach (var (interval, index) in intervals.Intervals.Select((interval, index) => (interval, index)))
                {
                    var expected = completions
                        .Where(completion => (int)((completion.Item1 - 1e-6) / intervals.IntervalMs) == index)
                        .Select(completion => completion.Item2 * 1_000L)
                        .ToArray();
                    Assert.Equal(expected.Length, interval.Counts.Sum());
                    foreach (var (bucket, count) in interval.Indexes.Zip(interval.Counts))
                    {
                        var (low, high) = IntervalHistograms.Bounds(bucket);
                        Assert.Equal(count, expected.Count(latency => latency >= low && latency <= high));
                    }
                }
            }));

    [Fact]
    public void Windows_of_several_generators_add_up_in_the_longest_interval()
    {
        var (fine, coarse, both) = (new ThroughputTimeline(), new ThroughputTimeline(), new ThroughputTimeline());
        foreach (var (second, latency) in new[] { (0.4, 3), (0.7, 5), (1.2, 3), (5.0, 9) })
        {
            fine.Record(FromSeconds(second), FromMilliseconds(latency));
            coarse.Record(FromSeconds(second * 8), FromMilliseconds(latency));
            both.Record(FromSeconds(second), FromMilliseconds(latency));
            both.Record(FromSeconds(second * 8), FromMilliseconds(latency));
        }

        var (short5, long40) = (fine.Histograms(FromSeconds(5)), coarse.Histograms(FromSeconds(40)));
        Assert.True(short5.IntervalMs < long40.IntervalMs);

        Assert.Equal(
            JsonSerializer.Serialize(both.Histograms(FromSeconds(40)), MeasurementJson.Compact),
            JsonSerializer.Serialize(IntervalHistograms.Sum([short5, long40]), MeasurementJson.Compact)
        );
    }

    [Fact]
    public void Buckets_meet_and_are_an_eighth_of_a_power_of_two_wide()
    {
        for (var index = 1; index < 200; index++)
        {
            var (low, high) = IntervalHistograms.Bounds(index);
            Assert.Equal(IntervalHistograms.Bounds(index - 1).High + 1, low);
            if (low >= 256)
                Assert.Equal(System.Numerics.BitOperations.RoundUpToPowerOf2((ulong)low + 1) / 16, (ulong)(high - low + 1));
        }
    }

    [Fact]
    public void A_document_of_another_grid_is_refused()
    {
        var timeline = new ThroughputTimeline();
        timeline.Record(FromSeconds(1), FromMilliseconds(2));
        var intervals = timeline.Histograms(FromSeconds(2));

        JsonSerializer
            .Deserialize<IntervalHistograms>(JsonSerializer.Serialize(intervals, MeasurementJson.Compact), MeasurementJson.Compact)!
            .Validate();
        Assert.Throws<InvalidDataException>(() => (intervals with { SubBucketBits = 4 }).Validate());
        Assert.Throws<InvalidDataException>(() => (intervals with { Version = 2 }).Validate());
        Assert.Throws<InvalidDataException>(() => (intervals with { Intervals = [new([1, 2], [1])] }).Validate());
        Assert.Throws<InvalidDataException>(() => (intervals with { Intervals = [new([1_000_000], [1])] }).Validate());
    }
}

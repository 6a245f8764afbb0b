namespace Serdica.Perf.Measurement.Tests.Recording;

/// <summary>A file that contradicts itself is refused: every figure that is read from it would look as sound as any other.</summary>
public sealed class DamagedHistogramTests
{
    private static readonly HistogramDocument Good = Latencies.Recorded([1_000, 2_000, 3_000]).ToDocument();

    private static readonly int Last = LogLinearBuckets.IndexOf(LogLinearBuckets.HighestNanoseconds);

    private static readonly IntervalHistograms GoodIntervals = new() { IntervalMs = 125, Intervals = [new([0, 7], [1, 2])] };

    private static readonly int LastCoarse = Last >> IntervalHistograms.CoarserBits;

    [Fact]
    public void Histogram_whose_figures_cannot_be_those_of_its_buckets_is_refused() =>
        EachItem.Holds(
            [
                Good with { Count = 2 },
                Good with { Highest = LogLinearBuckets.HighestNanoseconds - 1 },
                Good with { OutOfRange = -1 },
                Good with { OutOfRange = 4 },
                Good with { Min = -1 },
                Good with { Min = 3_001 },
                Good with { Min = null },
                Good with { Max = null },
                Good with { Indexes = [-1, 2, 3] },
                Good with { Indexes = [1, 2, 2] },
                Good with { Indexes = [1, 2, Last + 1] },
                Good with { Counts = [4, -2, 1] },
            ],
            damaged => Assert.Throws<InvalidDataException>(() => LatencyHistogram.FromDocument(damaged))
        );

    [Fact]
    public void Histogram_at_the_ends_of_its_grid_is_read() =>
        EachItem.Holds(
            [
                Latencies.Recorded([0]).ToDocument(),
                Latencies.Recorded([0, 0, 1]).ToDocument(),
                Latencies.Recorded([0, LogLinearBuckets.HighestNanoseconds]).ToDocument(),
                Latencies.Recorded([-1, long.MaxValue]).ToDocument(),
            ],
            sound =>
            {
                var read = LatencyHistogram.FromDocument(sound);

                Assert.Equal((sound.Count, sound.OutOfRange, sound.Sum), (read.Count, read.OutOfRange, read.SumNanoseconds));
                Assert.Equal((sound.Min, sound.Max), (read.MinNanoseconds, read.MaxNanoseconds));
                Assert.Equal(sound.Indexes.Zip(sound.Counts), read.ToDocument().Indexes.Zip(read.ToDocument().Counts));
            }
        );

    [Fact]
    public void Intervals_with_a_bucket_or_a_length_that_cannot_be_are_refused() =>
        EachItem.Holds(
            [
                GoodIntervals with { IntervalMs = 0 },
                GoodIntervals with { IntervalMs = -125 },
                With(new([3], [])),
                With(new([3], [-1])),
                With(new([3], [(1L << 40) + 1])),
                With(new([-1], [1])),
                With(new([LastCoarse + 1], [1])),

                // One that is sound does not speak for the others.
                GoodIntervals with { Intervals = [new([0], [1]), new([-1, 3], [1, 1])] },
            ],
            damaged => Assert.Throws<InvalidDataException>(damaged.Validate)
        );

    [Fact]
    public void Intervals_at_the_ends_of_their_grid_are_read() =>
        EachItem.Holds(
            [GoodIntervals, With(IntervalBuckets.Empty), With(new([0, LastCoarse], [0, 1L << 40])), GoodIntervals with { Intervals = [] }],
            sound => sound.Validate()
        );

    [Fact]
    public void Intervals_with_an_operation_of_an_hour_are_written_and_read()
    {
        var timeline = new ThroughputTimeline();
        timeline.Record(FromHours(2), FromHours(1));
        timeline.Record(FromHours(2), FromHours(2));

        timeline.Histograms(FromHours(2)).Validate();
    }

    private static IntervalHistograms With(IntervalBuckets interval) => GoodIntervals with { Intervals = [interval] };
}

namespace Serdica.Perf.Measurement.Tests.Recording;

public sealed class LatencyHistogramTests
{
    private static readonly double[] Percentiles = [0, 1, 50, 90, 95, 99, 99.9, 100];

    [Fact]
    public void Percentiles_lie_within_the_stated_error_above_the_exact_ones() =>
        Hold(Prop.ForAll(Latencies.Some, latencies =>
            {
                var histogram = Latencies.Recorded(latencies);
                var sorted = latencies.Order().ToArray();
                return Percentiles.All(percentile =>
                {
                    var rank = (int)Math.Max(1, Math.Ceiling((decimal)percentile * sorted.Length / 100));
                    var exact = sorted[rank - 1];
                    var told = histogram.ValueAtPercentile(percentile)!.Value;
                    return told >= exact && told <= exact * (1 + LatencyHistogram.RelativeError);
                });
            }));

    [Fact]
    public void Count_sum_minimum_and_maximum_are_exact() => Hold(Prop.ForAll(Latencies.Some, latencies =>
            {
                var histogram = Latencies.Recorded(latencies);
                return histogram.Count == latencies.Length
                    && histogram.SumNanoseconds == latencies.Aggregate(Int128.Zero, (sum, latency) => sum + latency)
                    && histogram.MinNanoseconds == latencies.Min()
                    && histogram.MaxNanoseconds == latencies.Max();
            }));

    [Fact]
    public void Merging_is_the_same_as_recording_all_in_one() =>
        Hold(Prop.ForAll(Latencies.Any, Latencies.Any, (left, right) =>
            {
                var merged = Latencies.Recorded(left);

                merged.Merge(Latencies.Recorded(right));

                return Text(merged) == Text(Latencies.Recorded([.. left, .. right]));
            }));

    [Fact]
    public void What_was_recorded_since_a_snapshot_has_the_counts_and_percentiles_of_a_histogram_of_its_own() =>
        Hold(Prop.ForAll(Latencies.Any, Latencies.Some, (before, after) =>
            {
                var snapshot = Latencies.Recorded(before);

                var since = Latencies.Recorded([.. before, .. after]).Since(snapshot);

                var alone = Latencies.Recorded(after);
                return since.Count == alone.Count
                    && since.SumNanoseconds == alone.SumNanoseconds
                    && since.MinNanoseconds <= alone.MinNanoseconds
                    && since.MaxNanoseconds >= alone.MaxNanoseconds
                    && since.ValueAtPercentile(99) >= alone.ValueAtPercentile(99)
                    && since.ValueAtPercentile(99) <= alone.ValueAtPercentile(99) * (1 + LatencyHistogram.RelativeError);
            }));

    [Fact]
    public void Written_and_read_again_it_is_the_same() => Hold(Prop.ForAll(Latencies.Any, latencies =>
            {
                var written = Text(Latencies.Recorded([.. latencies, -5, long.MaxValue]));

                var read = JsonSerializer.Deserialize<HistogramDocument>(written, MeasurementJson.Compact)!;

                return Text(LatencyHistogram.FromDocument(read)) == written;
            }));

    [Fact]
    public void An_empty_histogram_has_no_figures()
    {
        var histogram = new LatencyHistogram();

        Assert.Null(histogram.ValueAtPercentile(50));
        Assert.Null(histogram.MinNanoseconds);
        Assert.Equal(LatencySummary.Empty, histogram.Summarize());
        Assert.Equal(Text(histogram), Text(LatencyHistogram.FromDocument(histogram.ToDocument())));
    }

    [Fact]
    public void What_lies_outside_the_range_is_counted_and_not_thrown()
    {
        var histogram = new LatencyHistogram();

        histogram.Record(FromHours(2));
        histogram.Record(FromMilliseconds(-1));
        histogram.Record(FromHours(1));

        Assert.Equal(3, histogram.Count);
        Assert.Equal(2, histogram.OutOfRange);
        Assert.Equal(0, histogram.MinNanoseconds);
        Assert.Equal(FromHours(2).TotalMilliseconds, histogram.Summarize().MaxMs);
        Assert.Equal(3_600_000_000_000, histogram.ValueAtPercentile(100));
    }

    [Fact]
    public void A_histogram_of_nothing_within_the_range_says_the_end_of_the_range()
    {
        var histogram = new LatencyHistogram();

        histogram.Record(FromHours(3));
        histogram.Record(FromHours(2));

        Assert.Equal(3_600_000_000_000, histogram.ValueAtPercentile(50));
        Assert.Equal(FromHours(3).TotalMilliseconds, histogram.Summarize().MaxMs);
    }

    [Fact]
    public void Percentile_ranks_do_not_slip_by_rounding()
    {
        var histogram = Latencies.Recorded(Range(1, 1_000).Select(number => number == 1_000 ? 1_000_000L : 100L));

        Assert.Equal(100, histogram.ValueAtPercentile(99.9));
        Assert.Equal(1_000_000, histogram.ValueAtPercentile(100));
    }

    [Theory]
    [InlineData(-0.1)]
    [InlineData(100.1)]
    [InlineData(double.NaN)]
    public void A_percentile_outside_0_to_100_is_refused(double percentile) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new LatencyHistogram().ValueAtPercentile(percentile));

    [Fact]
    public void A_summary_is_in_milliseconds()
    {
        var histogram = new LatencyHistogram();
        for (var milliseconds = 1; milliseconds <= 100; milliseconds++)
            histogram.Record(FromMilliseconds(milliseconds));

        var summary = histogram.Summarize();

        Assert.Equal(100, summary.Count);
        Assert.Equal(50.5, summary.AverageMs);
        Assert.Equal(1, summary.MinMs);
        Assert.InRange(summary.P50Ms!.Value, 50, 50 * (1 + LatencyHistogram.RelativeError));
        Assert.InRange(summary.P99Ms!.Value, 99, 99 * (1 + LatencyHistogram.RelativeError));
        Assert.Equal(100, summary.P99Point9Ms);
        Assert.Equal(100, summary.MaxMs);
    }

    [Fact]
    public void Documents_of_another_version_or_grid_or_with_contradictions_are_refused()
    {
        var good = Latencies.Recorded([1_000, 2_000, 3_000]).ToDocument();

        Assert.Contains("version 2", Refusal(good with { Version = 2 }));
        Assert.Contains("grid 8 bits", Refusal(good with { SubBucketBits = 8 }));
        Assert.Contains("3 buckets but has 1 counts", Refusal(good with { Counts = [3] }));
        Assert.Contains("out of order", Refusal(good with { Indexes = [.. good.Indexes.Reverse()] }));
        Assert.Contains("out of order", Refusal(good with { Indexes = [1, 2, 1_000_000] }));
        Assert.Contains("holds 0 values", Refusal(good with { Counts = [3, 0, 0] }));
        Assert.Contains("says 4 values", Refusal(good with { Count = 4 }));
    }

    [Fact]
    public void Recording_does_not_allocate()
    {
        var histogram = new LatencyHistogram();
        var recorder = new ConcurrentLatencyRecorder();
        histogram.Record(1);
        recorder.Record(1);
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var latency = 0L; latency < 1_000; latency++)
        {
            histogram.Record(latency);
            recorder.Record(latency);
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    private static string Text(LatencyHistogram histogram) => JsonSerializer.Serialize(histogram.ToDocument(), MeasurementJson.Compact);

    private static string Refusal(HistogramDocument document) =>
        Assert.Throws<InvalidDataException>(() => LatencyHistogram.FromDocument(document)).Message;
}

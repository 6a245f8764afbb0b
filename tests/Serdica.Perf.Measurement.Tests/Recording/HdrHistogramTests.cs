using HdrHistogram;

namespace Serdica.Perf.Measurement.Tests.Recording;

/// <summary>HdrHistogram as the oracle of the histograms of this suite, and as the reader of the files that are written for it.</summary>
public sealed class HdrHistogramTests : FolderTests
{
    /// <summary>What three significant digits leave open.</summary>
    private const double HdrError = 0.001;

    /// <summary>The library itself miscounts above this value, about 37 minutes, with three digits.</summary>
    private const long HighestOfThreeDigits = (1L << 41) - 1;

    private static readonly Arbitrary<long[]> Some = Latencies.Some.Convert(
        latencies => latencies.Select(latency => Math.Min(latency, HighestOfThreeDigits)).ToArray(),
        latencies => latencies
    );

    [Fact]
    public void Each_rank_has_the_value_that_HdrHistogram_gives_it() =>
        Hold(Prop.ForAll(Some, latencies => Agree(Latencies.Recorded(latencies), Hdr(latencies))));

    [Fact]
    public void Merged_histograms_agree_with_the_sum_that_HdrHistogram_makes() =>
        Hold(Prop.ForAll(Some, Some, (left, right) =>
            {
                var (merged, sum) = (Latencies.Recorded(left), Hdr(left));
                merged.Merge(Latencies.Recorded(right));
                sum.Add(Hdr(right));

                return merged.Count == sum.TotalCount && Agree(merged, sum);
            }));

    [Fact]
    public void Percentiles_for_its_plotter_are_those_of_the_histogram_in_milliseconds()
    {
        var histogram = Latencies.Recorded(Range(1, 10_000).Select(number => number * 100_000L));

        var lines = Lines(Folder().WriteHistogram("a", "b", histogram), ".hgrm");

        var rows = lines
            .Skip(1)
            .Where(line => line.Length > 0 && line[0] != '#')
            .Select(line => line.Split(' ', RemoveEmptyEntries))
            .Select(row => (Value: Number(row[0]), Percentile: Number(row[1]), Count: (long)Number(row[2])))
            .ToArray();
        EachItem.Holds(rows, row =>
            Assert.InRange(row.Value, row.Count / 10.0 * (1 - HdrError), row.Count / 10.0 * (1 + Error) + HdrError)
        );
        Assert.Equal((1, 10_000), (rows[^1].Percentile, rows[^1].Count));
        Assert.Contains(lines, line => line.StartsWith("#[Max") && line.Contains("10000]"));
    }

    [Fact]
    public void An_hour_is_an_hour_in_its_files_too()
    {
        var lines = Lines(Folder().WriteHistogram("a", "b", Latencies.Recorded([1_000_000, 3_600_000_000_000])), ".hgrm");

        var max = Assert.Single(lines, line => line.StartsWith("#[Max")).Split('=', ',')[1];
        Assert.InRange(Number(max), 3_600_000 * (1 - HdrError), 3_600_000 * (1 + HdrError));
    }

    [Fact]
    public void Nothing_recorded_has_no_percentiles()
    {
        var folder = Folder();

        var raw = folder.WriteHistogram("a", "b", new LatencyHistogram());

        Assert.True(File.Exists(Path.Combine(folder.Path, raw)));
        Assert.False(File.Exists(Path.Combine(folder.Path, Path.ChangeExtension(raw, ".hgrm"))));
    }

    [Fact]
    public void Intervals_are_read_back_from_its_log()
    {
        var timeline = new ThroughputTimeline();
        timeline.Record(FromSeconds(0.5), FromMilliseconds(3));
        timeline.Record(FromSeconds(0.6), FromMilliseconds(3));
        timeline.Record(FromSeconds(1.5), FromMinutes(50));
        var intervals = timeline.Histograms(FromSeconds(3));
        var folder = Folder();

        var raw = folder.WriteIntervals("a", intervals);

        var text = File.ReadAllBytes(Path.Combine(folder.Path, Path.ChangeExtension(raw, ".hlog")));
        Assert.StartsWith("#[Histogram log format version 1.3]", Encoding.ASCII.GetString(text));
        using var stream = new MemoryStream(text);
        using var reader = new HistogramLogReader(stream);
        var read = reader.ReadHistograms().ToArray();
        Assert.Equal(intervals.Intervals.Select(interval => interval.Counts.Sum()), read.Select(histogram => histogram.TotalCount));
        Assert.Equal(3, read.Sum(histogram => histogram.TotalCount));
        Assert.Equal(intervals.IntervalMs, read[1].StartTimeStamp - read[0].StartTimeStamp);
        const double Coarse = 1.0 / 8;
        Assert.InRange(read.First(histogram => histogram.TotalCount > 0).GetValueAtPercentile(100), 3e6, 3e6 * (1 + Coarse + HdrError));
        var fifty = FromMinutes(50).TotalNanoseconds;
        Assert.InRange(read.Last(histogram => histogram.TotalCount > 0).GetMaxValue(), fifty, fifty * (1 + Coarse + HdrError));
    }

    [Fact]
    public void Intervals_of_its_log_follow_one_another()
    {
        var timeline = new ThroughputTimeline();
        timeline.Record(FromSeconds(3), FromMilliseconds(3));
        var folder = Folder();

        var raw = folder.WriteIntervals("a", timeline.Histograms(FromSeconds(3)));

        using var stream = File.OpenRead(Path.Combine(folder.Path, Path.ChangeExtension(raw, ".hlog")));
        using var reader = new HistogramLogReader(stream);
        var times = reader.ReadHistograms().Select(interval => (interval.StartTimeStamp, interval.EndTimeStamp)).ToArray();
        Assert.Equal(Range(0, 24).Select(index => (index * 125L, (index + 1) * 125L)), times);
    }

    /// <summary>The library takes no histogram whose highest value is below 2, and prints three digits of a millisecond.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3_000_000)]
    [InlineData(3_600_000_000_000)]
    public void One_latency_is_the_whole_distribution(long nanoseconds)
    {
        var lines = Lines(Folder().WriteHistogram("a", "b", Latencies.Recorded([nanoseconds])), ".hgrm");

        var max = Assert.Single(lines, line => line.StartsWith("#[Max")).Split('=', ',')[1];
        Assert.InRange(Number(max), (nanoseconds / 1e6 * (1 - HdrError)) - 0.001, (nanoseconds / 1e6 * (1 + HdrError)) + 0.001);
    }

    private const double Error = LatencyHistogram.RelativeError;

    /// <summary>Both have the value of each rank at the upper end of a bucket, each with the error of its own grid.</summary>
    private static bool Agree(LatencyHistogram ours, LongHistogram oracle) =>
        Range(1, (int)oracle.TotalCount)
            .Select(rank => 100.0 * rank / oracle.TotalCount)
            .All(percentile =>
            {
                var (value, expected) = (ours.ValueAtPercentile(percentile)!.Value, oracle.GetValueAtPercentile(percentile));
                return value >= expected * (1 - HdrError) - 1 && value <= expected * (1 + Error) + 1;
            });

    private static LongHistogram Hdr(IEnumerable<long> nanoseconds)
    {
        var histogram = new LongHistogram(1, HighestOfThreeDigits, 3);
        foreach (var latency in nanoseconds)
            histogram.RecordValue(latency);
        return histogram;
    }

    private RunFolder Folder() => RunFolder.Create(Root.Path, "postgresql", "smoke", RunManifest.Of(SampleRun.Passed));

    private string[] Lines(string raw, string extension) =>
        File.ReadAllLines(Path.Combine(Assert.Single(Directory.GetDirectories(Root.Path)), Path.ChangeExtension(raw, extension)));

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}

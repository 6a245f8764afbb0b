namespace Serdica.Perf.Measurement.Tests.Recording;

public sealed class IntervalSeriesTests
{
    private const long Millisecond = 1_000_000;

    /// <summary>A completion after 100 ms lies in the second of the intervals of 62.5 ms, and in the fourth of those of 31.25 ms.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Merged_series_have_the_coarser_interval_of_the_two(bool intoTheCoarser)
    {
        var (coarse, fine) = (new IntervalSeries(), new IntervalSeries());
        coarse.Record(20_000 * Millisecond, 3 * Millisecond);
        fine.Record(100 * Millisecond, 5 * Millisecond);
        var (merged, other) = intoTheCoarser ? (coarse, fine) : (fine, coarse);

        merged.Merge(other);

        Assert.Equal(62_500_000, merged.IntervalNanoseconds);
        var filled = Range(0, IntervalSeries.MaxIntervals).Where(index => merged[index] is not null);
        Assert.Equal([(1, 1L), (319, 1L)], filled.Select(index => (index, merged[index]!.Count)));
    }
}

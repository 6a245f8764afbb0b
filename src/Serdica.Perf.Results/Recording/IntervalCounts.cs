namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Latencies of one interval of a timeline. It uses the grid of <see cref="LatencyHistogram"/> with four-byte counts and nothing
/// else, because there are hundreds of intervals.
/// </summary>
internal sealed class IntervalCounts
{
    private readonly uint[] _counts = new uint[LogLinearBuckets.Count];

    public long Count { get; private set; }

    public long P99Nanoseconds
    {
        get
        {
            var rank = (Count * 99 + 99) / 100;
            long seen = 0;
            var index = -1;
            while (seen < rank)
                seen += _counts[++index];
            return LogLinearBuckets.HighestOf(index);
        }
    }

    /// <summary>The filled buckets on the coarser grid of <see cref="IntervalHistograms"/>.</summary>
    public IntervalBuckets Coarse()
    {
        var filled = _counts
            .Index()
            .Where(bucket => bucket.Item > 0)
            .GroupBy(bucket => bucket.Index >> IntervalHistograms.CoarserBits, bucket => (long)bucket.Item)
            .ToArray();
        return new([.. filled.Select(bucket => bucket.Key)], [.. filled.Select(bucket => bucket.Sum())]);
    }

    public void Record(long nanoseconds)
    {
        _counts[LogLinearBuckets.IndexOf(Math.Clamp(nanoseconds, 0, LogLinearBuckets.HighestNanoseconds))]++;
        Count++;
    }

    public void Clear()
    {
        Array.Clear(_counts);
        Count = 0;
    }

    public void Merge(IntervalCounts other)
    {
        for (var index = 0; index < _counts.Length; index++)
            _counts[index] += other._counts[index];
        Count += other.Count;
    }
}

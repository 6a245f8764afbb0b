namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Latencies of a window by interval of completion, for a heat map. Every power of two of nanoseconds has eight buckets: sixteen
/// neighbours of the grid of <see cref="LatencyHistogram"/> form one.
/// </summary>
public sealed record IntervalHistograms
{
    public const int CurrentVersion = 1;

    /// <summary>More than the operations of any run, and small enough that sums over all buckets cannot overflow.</summary>
    private const long MostOfABucket = 1L << 40;

    /// <summary>The number of fine buckets in one coarse bucket, as a power of two.</summary>
    internal const int CoarserBits = 4;

    public int Version { get; init; } = CurrentVersion;

    /// <summary>Every power of two is divided into 2 to the power of this number of buckets.</summary>
    public int SubBucketBits { get; init; } = LogLinearBuckets.SubBucketBits - CoarserBits;

    public required double IntervalMs { get; init; }

    /// <summary>All intervals from the start of the window, including empty ones.</summary>
    public required IReadOnlyList<IntervalBuckets> Intervals { get; init; }

    /// <summary>The lowest and the highest value of a bucket, in nanoseconds.</summary>
    internal static (long Low, long High) Bounds(int index) =>
        (
            index == 0 ? 0 : LogLinearBuckets.HighestOf((index << CoarserBits) - 1) + 1,
            LogLinearBuckets.HighestOf((index << CoarserBits) + (1 << CoarserBits) - 1)
        );

    /// <summary>The sum of windows that started together, in the longest of their intervals.</summary>
    /// <param name="parts">One or more; their intervals are multiples of each other, as all recorders have them.</param>
    internal static IntervalHistograms Sum(IReadOnlyCollection<IntervalHistograms> parts)
    {
        var intervalMs = parts.Max(part => part.IntervalMs);
        var intervals = parts
            .SelectMany(part =>
                part.Intervals.Select((interval, index) => (Index: (int)(index * part.IntervalMs / intervalMs), Interval: interval))
            )
            .GroupBy(part => part.Index, part => part.Interval)
            .OrderBy(parts => parts.Key)
            .Select(Sum);
        return new() { IntervalMs = intervalMs, Intervals = [.. intervals] };
    }

    private static IntervalBuckets Sum(IEnumerable<IntervalBuckets> parts)
    {
        var counts = new SortedDictionary<int, long>();
        foreach (var (index, count) in parts.SelectMany(part => part.Indexes.Zip(part.Counts)))
            counts[index] = counts.GetValueOrDefault(index) + count;
        return new([.. counts.Keys], [.. counts.Values]);
    }

    /// <exception cref="InvalidDataException">The version or the grid is not supported, or an interval contradicts itself.</exception>
    internal void Validate()
    {
        if (Version != CurrentVersion || SubBucketBits != LogLinearBuckets.SubBucketBits - CoarserBits)
            throw new InvalidDataException(
                $"The histograms by interval have version {Version} and {SubBucketBits} bits; this program reads version "
                    + $"{CurrentVersion} and {LogLinearBuckets.SubBucketBits - CoarserBits} bits."
            );
        if (
            IntervalMs <= 0
            || Intervals.Any(interval =>
                interval.Indexes.Count != interval.Counts.Count
                || interval.Counts.Any(count => count is < 0 or > MostOfABucket)
                || interval.Indexes.Any(index => index < 0 || index > (LogLinearBuckets.Count - 1) >> CoarserBits)
            )
        )
            throw new InvalidDataException(
                "The histograms by interval have an interval without a length, a bucket that does not exist, or a bucket with an "
                    + "impossible count."
            );
    }
}

/// <summary>The filled buckets of one interval of <see cref="IntervalHistograms"/>.</summary>
/// <param name="Indexes">Indexes of the filled buckets, ascending.</param>
/// <param name="Counts">The count in each of these buckets.</param>
public sealed record IntervalBuckets(IReadOnlyList<int> Indexes, IReadOnlyList<long> Counts)
{
    public static IntervalBuckets Empty { get; } = new([], []);
}

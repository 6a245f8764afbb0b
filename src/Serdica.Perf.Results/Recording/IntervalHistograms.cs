namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Latencies of a window by interval of completion, for a heat map: eight buckets to every power of two of nanoseconds, which
/// is the grid of <see cref="LatencyHistogram"/> with sixteen neighbours in one.
/// </summary>
public sealed record IntervalHistograms
{
    public const int CurrentVersion = 1;

    /// <summary>More than any run has operations, and few enough that sums over all buckets fit.</summary>
    private const long MostOfABucket = 1L << 40;

    /// <summary>Buckets of the fine grid that are one here, as a power of two.</summary>
    internal const int CoarserBits = 4;

    public int Version { get; init; } = CurrentVersion;

    /// <summary>Every power of two is cut into two to the power of this many buckets.</summary>
    public int SubBucketBits { get; init; } = LogLinearBuckets.SubBucketBits - CoarserBits;

    public required double IntervalMs { get; init; }

    /// <summary>From the begin of the window; empty ones are in it.</summary>
    public required IReadOnlyList<IntervalBuckets> Intervals { get; init; }

    /// <summary>The least and the greatest value of a bucket, in nanoseconds.</summary>
    internal static (long Low, long High) Bounds(int index) =>
    (
        index == 0 ? 0 : LogLinearBuckets.HighestOf((index << CoarserBits) - 1) + 1,
        LogLinearBuckets.HighestOf((index << CoarserBits) + (1 << CoarserBits) - 1)
    );

    /// <exception cref="InvalidDataException">The version or the grid is another, or an interval contradicts itself.</exception>
    internal void Validate()
    {
        if (Version != CurrentVersion || SubBucketBits != LogLinearBuckets.SubBucketBits - CoarserBits)
            throw new InvalidDataException(
                $"The histograms by interval have version {Version} and {SubBucketBits} bits; this program reads version {CurrentVersion} and {LogLinearBuckets.SubBucketBits - CoarserBits} bits.");
        if (IntervalMs <= 0 || Intervals.Any(interval =>
            interval.Indexes.Count != interval.Counts.Count || interval.Counts.Any(count => count is < 0 or > MostOfABucket) || interval.Indexes.Any(index => index < 0 || index >= LogLinearBuckets.Count >> CoarserBits)))
            throw new InvalidDataException("The histograms by interval have no length of an interval, a bucket that does not exist, or a bucket without a possible count.");
    }
}

/// <summary>The filled buckets of one interval of <see cref="IntervalHistograms"/>.</summary>
/// <param name="Indexes">Rising.</param>
/// <param name="Counts">What each of them holds.</param>
public sealed record IntervalBuckets(IReadOnlyList<int> Indexes, IReadOnlyList<long> Counts)
{
    public static IntervalBuckets Empty { get; } = new([], []);
}

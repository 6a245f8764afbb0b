namespace Serdica.Perf.Measurement.Recording;

/// <summary>The filled buckets of one interval of <see cref="IntervalHistograms"/>.</summary>
/// <param name="Indexes">Rising.</param>
/// <param name="Counts">What each of them holds.</param>
public sealed record IntervalBuckets(IReadOnlyList<int> Indexes, IReadOnlyList<long> Counts)
{
    public static IntervalBuckets Empty { get; } = new([], []);
}

namespace Serdica.Perf.Results.Recording;

/// <summary>
/// The serialised form of a <see cref="LatencyHistogram"/>: only filled buckets, with the grid that they belong to. Values are
/// nanoseconds.
/// </summary>
public sealed record HistogramDocument
{
    public const int CurrentVersion = 1;

    public int Version { get; init; } = CurrentVersion;

    /// <summary>Every power of two is divided into 2 to the power of this number of buckets.</summary>
    public int SubBucketBits { get; init; } = LogLinearBuckets.SubBucketBits;

    /// <summary>The highest value of the grid, in nanoseconds.</summary>
    public long Highest { get; init; } = LogLinearBuckets.HighestNanoseconds;

    public required long Count { get; init; }

    public long OutOfRange { get; init; }

    public required Int128 Sum { get; init; }

    public long? Min { get; init; }

    public long? Max { get; init; }

    /// <summary>Indexes of the filled buckets, ascending.</summary>
    public required IReadOnlyList<int> Indexes { get; init; }

    /// <summary>The count in each bucket of <see cref="Indexes"/>.</summary>
    public required IReadOnlyList<long> Counts { get; init; }

    internal void Validate()
    {
        if (Version != CurrentVersion)
            throw new InvalidDataException($"The histogram has version {Version}; this program reads version {CurrentVersion}.");
        if (SubBucketBits != LogLinearBuckets.SubBucketBits || Highest != LogLinearBuckets.HighestNanoseconds)
            throw new InvalidDataException(
                $"The histogram has the grid {SubBucketBits} bits to {Highest} ns; this program reads "
                    + $"{LogLinearBuckets.SubBucketBits} bits to {LogLinearBuckets.HighestNanoseconds} ns."
            );
        if (Indexes.Count != Counts.Count)
            throw new InvalidDataException($"The histogram names {Indexes.Count} buckets but has {Counts.Count} counts.");
        for (var entry = 0; entry < Indexes.Count; entry++)
        {
            if (Indexes[entry] < (entry == 0 ? 0 : Indexes[entry - 1] + 1) || Indexes[entry] >= LogLinearBuckets.Count)
                throw new InvalidDataException(
                    $"The histogram's bucket {Indexes[entry]} is out of order or not between 0 and {LogLinearBuckets.Count - 1}."
                );
            if (Counts[entry] < 1)
                throw new InvalidDataException(
                    $"The histogram's bucket {Indexes[entry]} holds {Counts[entry]} values; it must be 1 or more."
                );
        }

        // Int128, because the sum of two counts from a damaged file may exceed a long.
        var held = Counts.Aggregate(Int128.Zero, (sum, count) => sum + count);
        if (held != Count || OutOfRange < 0 || OutOfRange > Count || Min < 0 || Min > Max || (Count > 0 && (Min is null || Max is null)))
            throw new InvalidDataException(
                $"The histogram says {Count} values but its buckets hold {held}, or its minimum, its maximum or the number out of range "
                    + $"is missing or impossible."
            );
    }
}

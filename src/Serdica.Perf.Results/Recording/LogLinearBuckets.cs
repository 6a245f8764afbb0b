using System.Numerics;

namespace Serdica.Perf.Results.Recording;

/// <summary>
/// The grid of all histograms: every power of two of nanoseconds is divided into 128 equal buckets, and each of the first 256
/// nanoseconds has its own. A bucket is therefore never wider than 1/128 of its values.
/// </summary>
internal static class LogLinearBuckets
{
    public const int SubBucketBits = 7;

    /// <summary>One hour in nanoseconds.</summary>
    public const long HighestNanoseconds = 3_600_000_000_000;

    public static readonly int Count = IndexOf(HighestNanoseconds) + 1;

    /// <summary>The bucket of a value between 0 and <see cref="HighestNanoseconds"/>.</summary>
    public static int IndexOf(long nanoseconds)
    {
        var shift = BitOperations.Log2((ulong)nanoseconds | (1UL << SubBucketBits)) - SubBucketBits;
        return (shift << SubBucketBits) + (int)(nanoseconds >> shift);
    }

    /// <summary>The highest value that falls into the bucket.</summary>
    public static long HighestOf(int index)
    {
        var shift = Math.Max(0, (index >> SubBucketBits) - 1);
        var leading = (long)index - (shift << SubBucketBits);
        return ((leading + 1) << shift) - 1;
    }
}

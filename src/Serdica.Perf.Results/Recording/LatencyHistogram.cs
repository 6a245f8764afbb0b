namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Counts of latencies from 0 to one hour on a fixed log-linear grid, in nanoseconds; 36 KiB whatever is recorded. Count, sum,
/// minimum and maximum are exact. A percentile is the upper end of its bucket: it never understates, and overstates by less than
/// <see cref="RelativeError"/>. Merging adds the counts without loss. Not thread-safe: use one per caller, or <see
/// cref="ConcurrentLatencyRecorder"/>.
/// </summary>
public sealed class LatencyHistogram
{
    /// <summary>Bound on the relative error of a percentile: 1/128, about 0.8 %.</summary>
    public const double RelativeError = 1.0 / (1 << LogLinearBuckets.SubBucketBits);

    /// <summary>The longest latency with its own bucket; longer ones are counted in <see cref="OutOfRange"/>.</summary>
    public static readonly TimeSpan Highest = FromTicks(LogLinearBuckets.HighestNanoseconds / TimeSpan.NanosecondsPerTick);

    private static readonly double NanosecondsPerTimestamp = 1e9 / Stopwatch.Frequency;

    private readonly long[] _counts = new long[LogLinearBuckets.Count];
    private long _min = long.MaxValue;
    private long _max = -1;

    public long Count { get; private set; }

    /// <summary>
    /// Values outside the range. They are not lost: a negative one counts as zero, and one above an hour counts in the last bucket
    /// with its full value in sum and maximum.
    /// </summary>
    public long OutOfRange { get; private set; }

    /// <summary>The sum of all values in nanoseconds; wide enough never to overflow.</summary>
    public Int128 SumNanoseconds { get; private set; }

    /// <summary>The lowest value in nanoseconds; null when nothing was recorded.</summary>
    public long? MinNanoseconds => Count == 0 ? null : _min;

    /// <summary>The highest value in nanoseconds; null when nothing was recorded.</summary>
    public long? MaxNanoseconds => Count == 0 ? null : _max;

    public void Record(TimeSpan latency) => Record(latency.Ticks * TimeSpan.NanosecondsPerTick);

    /// <summary>Records the time between two readings of <see cref="Stopwatch.GetTimestamp"/>.</summary>
    public void Record(long startTimestamp, long endTimestamp) => Record(Nanoseconds(startTimestamp, endTimestamp));

    public void Record(long nanoseconds)
    {
        var bucketed = nanoseconds;
        if ((ulong)nanoseconds > LogLinearBuckets.HighestNanoseconds)
        {
            OutOfRange++;
            nanoseconds = Math.Max(0, nanoseconds);
            bucketed = Math.Min(nanoseconds, LogLinearBuckets.HighestNanoseconds);
        }

        _counts[LogLinearBuckets.IndexOf(bucketed)]++;
        Count++;
        SumNanoseconds += nanoseconds;
        if (nanoseconds < _min)
            _min = nanoseconds;
        if (nanoseconds > _max)
            _max = nanoseconds;
    }

    /// <summary>Adds the values of another histogram, as if they had been recorded here.</summary>
    public void Merge(LatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        for (var index = 0; index < _counts.Length; index++)
            _counts[index] += other._counts[index];
        Count += other.Count;
        OutOfRange += other.OutOfRange;
        SumNanoseconds += other.SumNanoseconds;
        _min = Math.Min(_min, other._min);
        _max = Math.Max(_max, other._max);
    }

    /// <summary>
    /// The values recorded since <paramref name="before"/>, an earlier snapshot of the same recorder. Count and sum are exact;
    /// minimum and maximum are the bounds of the outermost buckets that were filled since.
    /// </summary>
    public LatencyHistogram Since(LatencyHistogram before)
    {
        ArgumentNullException.ThrowIfNull(before);
        var since = new LatencyHistogram
        {
            Count = Count - before.Count,
            OutOfRange = OutOfRange - before.OutOfRange,
            SumNanoseconds = SumNanoseconds - before.SumNanoseconds,
        };
        for (var index = 0; index < _counts.Length; index++)
        {
            since._counts[index] = _counts[index] - before._counts[index];
            if (since._counts[index] == 0)
                continue;

            since._min = Math.Min(since._min, index == 0 ? 0 : LogLinearBuckets.HighestOf(index - 1) + 1);
            since._max = LogLinearBuckets.HighestOf(index);
        }

        return since;
    }

    /// <summary>
    /// The nearest-rank percentile in nanoseconds: at least <paramref name="percentile"/> per cent of the values are not
    /// above it. Null when nothing was recorded.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not between 0 and 100.</exception>
    public long? ValueAtPercentile(double percentile)
    {
        if (percentile is not (>= 0 and <= 100))
            throw new ArgumentOutOfRangeException(nameof(percentile), percentile, "A percentile lies between 0 and 100.");
        if (Count == 0)
            return null;

        // Rounded first: 99.9 % of 1,000 must be rank 999, although floating point gives 999.0000000000001.
        var rank = Math.Max(1, (long)Math.Ceiling(Math.Round(percentile / 100 * Count, 6)));
        long seen = 0;
        for (var index = 0; index < _counts.Length; index++)
        {
            seen += _counts[index];
            if (seen >= rank)
                return Math.Clamp(
                    LogLinearBuckets.HighestOf(index),
                    Math.Min(_min, LogLinearBuckets.HighestNanoseconds),
                    Math.Min(_max, LogLinearBuckets.HighestNanoseconds)
                );
        }

        throw new UnreachableException("The buckets hold fewer values than the histogram has counted.");
    }

    /// <summary>How many values are surely above a limit: those in buckets that start above it.</summary>
    /// <param name="nanoseconds">The limit.</param>
    public long CountAbove(double nanoseconds)
    {
        long above = 0;
        for (var index = _counts.Length - 1; index > 0 && LogLinearBuckets.HighestOf(index - 1) >= nanoseconds; index--)
            above += _counts[index];
        return above;
    }

    public LatencySummary Summarize() =>
        Count == 0
            ? LatencySummary.Empty
            : new()
            {
                Count = Count,
                AverageMs = (double)SumNanoseconds / Count / 1e6,
                MinMs = _min / 1e6,
                P50Ms = Milliseconds(50),
                P90Ms = Milliseconds(90),
                P95Ms = Milliseconds(95),
                P99Ms = Milliseconds(99),
                P99Point9Ms = Milliseconds(99.9),
                MaxMs = _max / 1e6,
            };

    /// <summary>Everything that was recorded, in the compact form that is written to a file.</summary>
    public HistogramDocument ToDocument()
    {
        var filled = Enumerable.Range(0, _counts.Length).Where(index => _counts[index] > 0).ToArray();
        return new()
        {
            Count = Count,
            OutOfRange = OutOfRange,
            Sum = SumNanoseconds,
            Min = MinNanoseconds,
            Max = MaxNanoseconds,
            Indexes = filled,
            Counts = [.. filled.Select(index => _counts[index])],
        };
    }

    /// <summary>Restores exactly the histogram that <see cref="ToDocument"/> was called on.</summary>
    /// <exception cref="InvalidDataException">The document has an unsupported version or grid, or contradicts itself.</exception>
    public static LatencyHistogram FromDocument(HistogramDocument document)
    {
        ArgumentNullException.ThrowIfNull(document);
        document.Validate();
        var histogram = new LatencyHistogram
        {
            Count = document.Count,
            OutOfRange = document.OutOfRange,
            SumNanoseconds = document.Sum,
            _min = document.Min ?? long.MaxValue,
            _max = document.Max ?? -1,
        };
        for (var entry = 0; entry < document.Indexes.Count; entry++)
            histogram._counts[document.Indexes[entry]] = document.Counts[entry];
        return histogram;
    }

    /// <summary>More precise than <see cref="Stopwatch.GetElapsedTime(long, long)"/>, which truncates to 100 ns.</summary>
    internal static long Nanoseconds(long startTimestamp, long endTimestamp) =>
        (long)((endTimestamp - startTimestamp) * NanosecondsPerTimestamp);

    private double? Milliseconds(double percentile) => ValueAtPercentile(percentile) / 1e6;
}

using HdrHistogram;

namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Histograms in the formats of HdrHistogram, for its plotters and log analysers. The raw histograms are exact copies of what was
/// recorded; here each value is the upper end of its bucket, as in every percentile of this suite.
/// </summary>
internal static class HdrFormats
{
    private const int Digits = 3;

    /// <summary>From here on the library miscounts with three digits: it shifts an int by 31 bits.</summary>
    private const long TooHighForThreeDigits = 1L << 41;

    private const double NanosecondsPerMillisecond = 1e6;

    /// <summary>The distribution by percentile, in milliseconds (.hgrm); null when nothing was recorded.</summary>
    public static string? Percentiles(HistogramDocument histogram)
    {
        if (histogram.Count == 0)
            return null;
        var values = histogram.Indexes.Select(index =>
            Math.Clamp(LogLinearBuckets.HighestOf(index), Within(histogram.Min), Within(histogram.Max))
        );
        var hdr = Empty(Within(histogram.Max));
        foreach (var (value, count) in values.Zip(histogram.Counts))
            hdr.RecordValueWithCount(value, count);
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        hdr.OutputPercentileDistribution(text, outputValueUnitScalingRatio: NanosecondsPerMillisecond);
        return text.ToString();
    }

    /// <summary>One compressed histogram for each interval, in nanoseconds, with times from the start of the window (.hlog).</summary>
    public static string Log(IntervalHistograms histograms)
    {
        var highest = histograms.Intervals.SelectMany(interval => interval.Indexes).DefaultIfEmpty().Max();
        using var log = new MemoryStream();
        using (var writer = new HistogramLogWriter(log))
        {
            writer.Write(DateTime.UnixEpoch);
            foreach (var (index, interval) in histograms.Intervals.Index())
            {
                var hdr = Empty(Within(IntervalHistograms.Bounds(highest).High));
                foreach (var (bucket, count) in interval.Indexes.Zip(interval.Counts))
                    hdr.RecordValueWithCount(Within(IntervalHistograms.Bounds(bucket).High), count);
                hdr.StartTimeStamp = (long)(index * histograms.IntervalMs);
                hdr.EndTimeStamp = (long)((index + 1) * histograms.IntervalMs);
                writer.Append(hdr);
            }
        }

        // The library writes UTF-16, and the tools in other languages read UTF-8.
        log.Position = 0;
        using var reader = new StreamReader(log);
        return reader.ReadToEnd();
    }

    private static long Within(long? nanoseconds) => Math.Clamp(nanoseconds ?? 0, 0, LogLinearBuckets.HighestNanoseconds);

    private static LongHistogram Empty(long highest) => new(1, Math.Max(highest, 2), highest < TooHighForThreeDigits ? Digits : Digits + 1);
}

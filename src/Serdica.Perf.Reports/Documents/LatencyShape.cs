namespace Serdica.Perf.Reports.Documents;

/// <summary>The curves of a histogram.</summary>
internal static class LatencyShape
{
    /// <summary>
    /// Points between a percentile and the one that halves the distance to 100 %, as the percentile output of HdrHistogram has
    /// them: so the curve is equally dense over its logarithmic axis.
    /// </summary>
    private const int PointsPerHalving = 5;

    private const double Millisecond = 1e6;

    /// <summary>Pairs of 1/(1-p) and milliseconds. The last is the maximum, at the number of values.</summary>
    public static IReadOnlyList<IReadOnlyList<double>> Percentiles(LatencyHistogram histogram)
    {
        if (histogram.MaxNanoseconds is not { } max)
            return [];

        var points = new List<IReadOnlyList<double>>();
        for (var step = 0; ; step++)
        {
            var inverse = Math.Pow(2, (double)step / PointsPerHalving);
            if (inverse >= histogram.Count)
                break;
            points.Add([
                Significant.Of(inverse),
                Significant.Of(histogram.ValueAtPercentile(100 * (1 - 1 / inverse))!.Value / Millisecond),
            ]);
        }

        points.Add([histogram.Count, Significant.Of(max / Millisecond)]);
        return points;
    }

    /// <summary>Triples of the bounds of a bucket in milliseconds and what it holds; empty buckets between filled ones are in it.</summary>
    public static IReadOnlyList<IReadOnlyList<double>> Distribution(LatencyHistogram histogram)
    {
        var document = histogram.ToDocument();
        var buckets = document
            .Indexes.Zip(document.Counts)
            .GroupBy(bucket => bucket.First >> IntervalHistograms.CoarserBits, bucket => bucket.Second)
            .ToDictionary(bucket => bucket.Key, bucket => bucket.Sum());
        return buckets.Count == 0
            ? []
            :
            [
                .. Enumerable
                    .Range(buckets.Keys.Min(), buckets.Keys.Max() - buckets.Keys.Min() + 1)
                    .Select(index => Bucket(index, buckets.GetValueOrDefault(index))),
            ];
    }

    private static IReadOnlyList<double> Bucket(int index, long count)
    {
        var (low, high) = IntervalHistograms.Bounds(index);
        return [Significant.Of(low / Millisecond), Significant.Of((high + 1) / Millisecond), count];
    }
}

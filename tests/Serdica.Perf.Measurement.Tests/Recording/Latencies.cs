namespace Serdica.Perf.Measurement.Tests.Recording;

/// <summary>Random latencies in nanoseconds, as likely in every power of two from 1 ns to one hour.</summary>
internal static class Latencies
{
    public static Arbitrary<long[]> Any { get; } = Gen.ArrayOf(One()).ToArbitrary();

    public static Arbitrary<long[]> Some { get; } = Gen.NonEmptyListOf(One()).Select(list => list.ToArray()).ToArbitrary();

    public static LatencyHistogram Recorded(IEnumerable<long> nanoseconds)
    {
        var histogram = new LatencyHistogram();
        foreach (var latency in nanoseconds)
            histogram.Record(latency);
        return histogram;
    }

    private static Gen<long> One() =>
        from bits in Gen.Choose(0, 41)
        from fraction in Gen.Choose(0, 1_000_000)
        select Math.Min((long)((1L << bits) * (1 + fraction / 1e6)), LatencyHistogram.Highest.Ticks * TimeSpan.NanosecondsPerTick);
}

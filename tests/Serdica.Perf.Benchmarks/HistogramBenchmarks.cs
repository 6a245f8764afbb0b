using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Benchmarks;

/// <summary>What does it cost to record one latency, and to merge what two recorded?</summary>
public class HistogramBenchmarks
{
    private const int Latencies = 1024;

    private readonly long[] _nanoseconds = new long[Latencies];
    private readonly LatencyHistogram _histogram = new();
    private readonly LatencyHistogram _other = new();
    private readonly ConcurrentLatencyRecorder _recorder = new();

    [GlobalSetup]
    public void Setup()
    {
        // From 10 us to 1 s, spread evenly over the orders of magnitude, in an order that no branch predictor learns.
        var random = new Random(1);
        for (var i = 0; i < Latencies; i++)
            _nanoseconds[i] = (long)(10_000 * Math.Pow(10, 5 * random.NextDouble()));
        foreach (var nanoseconds in _nanoseconds)
            _other.Record(nanoseconds);
    }

    [Benchmark(OperationsPerInvoke = Latencies)]
    public void Record()
    {
        foreach (var nanoseconds in _nanoseconds)
            _histogram.Record(nanoseconds);
    }

    [Benchmark(OperationsPerInvoke = Latencies)]
    public void RecordConcurrently()
    {
        foreach (var nanoseconds in _nanoseconds)
            _recorder.Record(nanoseconds);
    }

    [Benchmark]
    public void Merge() => _histogram.Merge(_other);
}

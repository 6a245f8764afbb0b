using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Benchmarks;

/// <summary>What does it cost to note one completion with its time?</summary>
public class TimelineBenchmarks
{
    private static readonly TimeSpan Latency = FromMilliseconds(3);

    private readonly ThroughputTimeline _timeline = new();
    private long _completions;

    [Benchmark]
    public void Record() => _timeline.Record(FromMicroseconds(++_completions % 60_000_000), Latency);
}

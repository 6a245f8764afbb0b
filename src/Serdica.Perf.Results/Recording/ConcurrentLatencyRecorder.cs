namespace Serdica.Perf.Results.Recording;

/// <summary>A <see cref="LatencyHistogram"/> that any number of threads can record into concurrently, without allocation.</summary>
public sealed class ConcurrentLatencyRecorder
{
    private readonly Stripes<LatencyHistogram> _stripes = new();

    public void Record(TimeSpan latency) => Record(latency.Ticks * TimeSpan.NanosecondsPerTick);

    /// <summary>Records the time between two readings of <see cref="Stopwatch.GetTimestamp"/>.</summary>
    public void Record(long startTimestamp, long endTimestamp) => Record(LatencyHistogram.Nanoseconds(startTimestamp, endTimestamp));

    public void Record(long nanoseconds)
    {
        var stripe = _stripes.Current;
        lock (stripe.Lock)
            stripe.Recorder.Record(nanoseconds);
    }

    /// <summary>A copy of everything that was recorded before the call.</summary>
    public LatencyHistogram Snapshot()
    {
        var merged = new LatencyHistogram();
        _stripes.ForEach(merged.Merge);
        return merged;
    }
}

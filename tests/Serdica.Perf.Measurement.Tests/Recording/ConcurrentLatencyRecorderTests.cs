namespace Serdica.Perf.Measurement.Tests.Recording;

public sealed class ConcurrentLatencyRecorderTests
{
    [Fact]
    public void Nothing_is_lost_when_many_threads_record_while_others_look()
    {
        var recorder = new ConcurrentLatencyRecorder();
        const int PerCaller = 20_000;

        Parallel.For(0, 8, caller =>
        {
            for (var latency = 1L; latency <= PerCaller; latency++)
            {
                recorder.Record(latency);
                if (latency % 5_000 == 0)
                    Assert.InRange(recorder.Snapshot().Count, latency, 8 * PerCaller);
            }
        });

        var all = recorder.Snapshot();
        Assert.Equal(8 * PerCaller, all.Count);
        Assert.Equal(8 * (PerCaller * (PerCaller + 1L) / 2), all.SumNanoseconds);
        Assert.Equal(1, all.MinNanoseconds);
        Assert.Equal(PerCaller, all.MaxNanoseconds);
    }
}

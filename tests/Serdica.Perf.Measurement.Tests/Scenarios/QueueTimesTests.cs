using System.Diagnostics.Metrics;

namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class QueueTimesTests
{
    /// <summary>No host of another test of this process has a signal that waits this long.</summary>
    private static readonly TimeSpan Wait = FromMinutes(41);

    [Fact]
    public void What_hosts_tell_is_kept_until_the_window_is_closed_and_nothing_after_it()
    {
        using var meter = new Meter(WorkflowMetrics.Meter);
        var instrument = meter.CreateHistogram<double>(WorkflowMetrics.QueueTime, "s");
        var other = meter.CreateHistogram<double>("another", "s");
        using var times = new QueueTimes();

        instrument.Record(Wait.TotalSeconds);
        other.Record(Wait.TotalSeconds * 2);
        times.Dispose();
        instrument.Record(Wait.TotalSeconds * 3);

        Assert.Equal(Wait.TotalMilliseconds, times.Snapshot().Summarize().MaxMs!.Value, 1e-3);
    }
}

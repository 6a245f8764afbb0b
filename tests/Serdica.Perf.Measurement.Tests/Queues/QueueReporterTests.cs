using Serdica.Perf.Measurement.Queues;

namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueReporterTests
{
    [Fact]
    public void An_interval_in_which_nothing_was_read_says_so()
    {
        Assert.Equal("  5.0 s: written 1,200/s, read 0/s, 6,000 unread, nothing read", QueueReporter.Line(new(5, 1_200, 0, 6_000, null)));
        Assert.Equal(
            "  5.0 s: written 1,200/s, read 1,150/s, 250 unread, end to end p99 3.25 ms",
            QueueReporter.Line(new(5, 1_200, 1_150, 250, 3.25))
        );
    }
}

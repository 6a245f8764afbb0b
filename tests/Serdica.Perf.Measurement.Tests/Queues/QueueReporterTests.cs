using System.Threading.Channels;

namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueReporterTests
{
    [Fact]
    public void An_interval_in_which_nothing_was_read_says_so()
    {
        Assert.Equal("  5.0 s: written 1,200/s, read 0/s, 6,000 unread, nothing read", QueueReporter.Line(new(5, 1_200, 0, 6_000, null)));
        Assert.Equal(
            "  5.0 s: written 1,200/s, read 10/s, 6,000 unread, too few read for a p99",
            QueueReporter.Line(new(5, 1_200, 10, 6_000, null))
        );
        Assert.Equal(
            "  5.0 s: written 1,200/s, read 1,150/s, 250 unread, end to end p99 3.25 ms",
            QueueReporter.Line(new(5, 1_200, 1_150, 250, 3.25))
        );
    }

    [Fact]
    public async Task An_interval_tells_of_itself_alone()
    {
        var plan = new QueuePlan { ReportInterval = FromMilliseconds(20) };
        var writes = new QueueWrites(1, plan, []);
        var lines = Channel.CreateUnbounded<string>();
        var now = Stopwatch.GetTimestamp();
        int[] messages = [.. Range(0, 100)];
        foreach (var number in messages)
            writes.Ledger.Write(number, now - Stopwatch.Frequency);
        writes.Ledger.Read(new(0, Stopwatch.GetTimestamp(), TimeSpan.Zero, Altered: 0, messages));
        var reporter = new QueueReporter(writes, new(), plan, line => lines.Writer.TryWrite(line));
        await using (reporter)
        {
            while (!(await lines.Reader.ReadAsync(Token)).Contains("p99")) { }
            await lines.Reader.ReadAsync(Token);
        }

        var read = Assert.Single(reporter.Intervals, interval => interval.EndToEndP99Ms is not null);
        Assert.InRange(read.EndToEndP99Ms!.Value, 999, 1.01 * (1_000 + Stopwatch.GetElapsedTime(now).TotalMilliseconds));
        Assert.Same(read, Assert.Single(reporter.Intervals, interval => interval.ReadPerSecond > 0));
    }
}

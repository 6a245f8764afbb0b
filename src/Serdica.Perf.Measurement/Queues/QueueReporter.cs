namespace Serdica.Perf.Measurement.Queues;

/// <summary>Writes the progress report, and looks more often at the number of unread messages, whose growth is judged.</summary>
internal sealed class QueueReporter : IAsyncDisposable
{
    private const int Looks = 20;

    private static readonly TimeSpan ShortestLook = FromMilliseconds(25);

    private readonly QueueWrites _writes;
    private readonly LoadRecorder _recorder;
    private readonly Action<string> _print;
    private readonly List<QueueInterval> _intervals = [];
    private readonly List<(double AtSeconds, double Messages)> _unread = [];
    private readonly SampleClock _reports;
    private readonly SampleClock _looks;
    private LatencyHistogram _before = new();
    private (double At, long Written, long Read) _last;

    public QueueReporter(QueueWrites writes, LoadRecorder recorder, QueuePlan plan, Action<string> print)
    {
        (_writes, _recorder, _print) = (writes, recorder, print);
        _reports = new(_ => ReportAsync(), plan.ReportInterval);
        _looks = new(_ => LookAsync(), LookInterval(plan));
        _reports.Start();
        _looks.Start();
    }

    public IReadOnlyList<QueueInterval> Intervals => _intervals;

    /// <summary>The number of unread messages over time; late looks are those of the drain.</summary>
    public IReadOnlyList<(double AtSeconds, double Messages)> Unread => _unread;

    public async ValueTask DisposeAsync()
    {
        await _looks.DisposeAsync();
        await _reports.DisposeAsync();
    }

    /// <summary>Twenty looks during a test that is too short for as many reports, so that a trend can be found in it too.</summary>
    internal static TimeSpan LookInterval(QueuePlan plan)
    {
        var share = plan.Duration / Looks;
        return share > plan.ReportInterval ? plan.ReportInterval
            : share < ShortestLook ? ShortestLook
            : share;
    }

    private Task LookAsync()
    {
        _unread.Add((Stopwatch.GetElapsedTime(_recorder.Begin).TotalSeconds, _writes.Unread));
        return Task.CompletedTask;
    }

    private Task ReportAsync()
    {
        var (at, written, read) = (
            Stopwatch.GetElapsedTime(_recorder.Begin).TotalSeconds,
            (long)_recorder.Completed,
            _writes.Ledger.CopiesRead
        );
        var latencies = _writes.Ledger.EndToEnd.Snapshot();
        var own = latencies.Since(_before);
        var interval = new QueueInterval(
            at,
            (written - _last.Written) / (at - _last.At),
            (read - _last.Read) / (at - _last.At),
            _writes.Unread,
            LatencySummary.ShownP99(own.ValueAtPercentile(99) / 1e6, own.Count)
        );
        (_last, _before) = ((at, written, read), latencies);
        _intervals.Add(interval);
        _print(Line(interval));
        return Task.CompletedTask;
    }

    internal static string Line(QueueInterval interval)
    {
        var endToEnd =
            interval.EndToEndP99Ms is { } p99 ? Invariant($"end to end p99 {p99:0.00} ms")
            : interval.ReadPerSecond > 0 ? "too few read for a p99"
            : "nothing read";
        return Invariant($"  {interval.AtSeconds:0.0} s: written {interval.WrittenPerSecond:N0}/s, read {interval.ReadPerSecond:N0}/s, ")
            + Invariant($"{interval.Unread:N0} unread, {endToEnd}");
    }
}

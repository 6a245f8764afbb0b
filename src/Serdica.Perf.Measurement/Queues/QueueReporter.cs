using System.Diagnostics;
using System.Globalization;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Results.Queues;
using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Measurement.Queues;

/// <summary>Writes the progress report, and keeps the largest number of unread messages.</summary>
internal sealed class QueueReporter : IAsyncDisposable
{
    private readonly QueueWrites _writes;
    private readonly LoadRecorder _recorder;
    private readonly Action<string> _print;
    private readonly List<QueueInterval> _intervals = [];
    private readonly SampleClock _clock;
    private LatencyHistogram _before = new();
    private (double At, long Written, long Read) _last;

    public QueueReporter(QueueWrites writes, LoadRecorder recorder, TimeSpan interval, Action<string> print)
    {
        (_writes, _recorder, _print) = (writes, recorder, print);
        _clock = new(_ => ReportAsync(), interval);
        _clock.Start();
    }

    public IReadOnlyList<QueueInterval> Intervals => _intervals;

    public ValueTask DisposeAsync() => _clock.DisposeAsync();

    private Task ReportAsync()
    {
        var (at, written, read) = (
            Stopwatch.GetElapsedTime(_recorder.Begin).TotalSeconds,
            (long)_recorder.Completed,
            _writes.Ledger.CopiesRead
        );
        var latencies = _writes.Ledger.EndToEnd.Snapshot();
        var interval = new QueueInterval(
            at,
            (written - _last.Written) / (at - _last.At),
            (read - _last.Read) / (at - _last.At),
            _writes.Unread,
            latencies.Since(_before).ValueAtPercentile(99) / 1e6
        );
        (_last, _before) = ((at, written, read), latencies);
        _intervals.Add(interval);
        _print(Line(interval));
        return Task.CompletedTask;
    }

    internal static string Line(QueueInterval interval)
    {
        var invariant = CultureInfo.InvariantCulture;
        var endToEnd = interval.EndToEndP99Ms is { } p99 ? string.Create(invariant, $"end to end p99 {p99:0.00} ms") : "nothing read";
        return string.Create(
            invariant,
            $"  {interval.AtSeconds:0.0} s: written {interval.WrittenPerSecond:N0}/s, read {interval.ReadPerSecond:N0}/s, "
                + $"{interval.Unread:N0} unread, {endToEnd}"
        );
    }
}

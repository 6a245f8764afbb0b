using Serdica.Perf.Analysis.Soak;

namespace Serdica.Perf.Measurement.Soak;

/// <summary>
/// Observes a load while it runs: divides its response times into intervals, and samples the gauges of server and process.
/// </summary>
internal sealed class SoakWatch
{
    /// <summary>The last operations may end a little before the last interval does; this share of it is enough.</summary>
    private const double AlmostWhole = 0.9;

    private readonly LoadRecorder _load;
    private readonly IBackendStatistics? _statistics;
    private readonly SoakPlan _plan;
    private readonly long _begin = Stopwatch.GetTimestamp();
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private readonly Dictionary<string, (double Sum, int Count)> _gauges = [];
    private readonly Dictionary<string, string> _missing = [];
    private readonly List<SoakInterval> _intervals = [];
    private readonly Task _watching;
    private LatencyHistogram _seen = new();

    public SoakWatch(LoadRecorder load, IBackendStatistics? statistics, SoakPlan plan)
    {
        _load = load;
        _statistics = statistics;
        _plan = plan;
        _watching = Task.WhenAll(Task.Run(CutAsync), Task.Run(SampleAsync));
    }

    /// <summary>Valid after the watch has ended.</summary>
    public IReadOnlyList<SoakInterval> Intervals => _intervals;

    private double Elapsed => Stopwatch.GetElapsedTime(_begin).TotalSeconds;

    private double LastCut => _intervals is [.., var last] ? last.OffsetSeconds + last.LengthSeconds : 0;

    public async Task EndAsync()
    {
        await _stop.CancelAsync();
        await _watching;
        _stop.Dispose();
    }

    /// <summary>Throughput, latency and every gauge with its trend by minute; valid after the watch has ended.</summary>
    public IEnumerable<SoakSeries> Series()
    {
        yield return new("throughput", "op/s", TrendVerdict.Falling, TrendOf(_intervals, interval => interval.PerSecond), null);
        yield return new("p99", "ms", TrendVerdict.Rising, TrendOf(_intervals, interval => interval.P99Ms), null);
        foreach (var (name, unit, unwelcome) in SoakGauges.All)
        {
            yield return _intervals.Exists(interval => interval.Gauges.ContainsKey(name))
                ? new(
                    name,
                    unit,
                    unwelcome,
                    TrendOf(_intervals, interval => interval.Gauges.TryGetValue(name, out var value) ? value : null),
                    null
                )
                : new(name, unit, unwelcome, null, _missing.GetValueOrDefault(name, "The soak was too short for a sample."));
        }
    }

    /// <summary>Cuts at the end of each interval, as exactly as the timer allows; lateness is part of the interval's length.</summary>
    private async Task CutAsync()
    {
        var length = _plan.Interval.TotalSeconds;
        while (true)
        {
            // The nearest boundary counts as done: the timer may have been early by less than a millisecond.
            var end = (Math.Round(Elapsed / length) + 1) * length;
            if (end > _plan.Duration.TotalSeconds + length / 2)
                return;

            var ended = !await PauseUntilAsync(end);
            if (!ended || Elapsed - LastCut >= AlmostWhole * length)
                Cut();
            if (ended)
                return;
        }
    }

    private void Cut()
    {
        var now = _load.Response.Snapshot();
        var latencies = now.Since(_seen);
        var (begin, end) = (LastCut, Elapsed);
        _seen = now;
        lock (_gate)
        {
            _intervals.Add(
                new(
                    begin,
                    end - begin,
                    latencies.Count,
                    latencies.Count / (end - begin),
                    LatencySummary.ShownP99(latencies.ValueAtPercentile(99) / 1e6, latencies.Count),
                    _gauges.ToDictionary(gauge => gauge.Key, gauge => gauge.Value.Sum / gauge.Value.Count)
                )
            );
            _gauges.Clear();
        }
    }

    private async Task SampleAsync()
    {
        for (var sample = 1; await PauseUntilAsync(sample * _plan.SampleInterval.TotalSeconds); sample++)
        {
            foreach (var (name, read) in SoakGauges.OfProcess)
                Add(name, read());
            await SampleServerAsync();
        }
    }

    private async Task SampleServerAsync()
    {
        StatisticsSnapshot? snapshot = null;
        var problem = "The backend has no server that could report it.";
        try
        {
            if (_statistics is not null)
                snapshot = await _statistics.TakeSnapshotAsync(SnapshotDepth.Sample, _stop.Token);
        }
        catch (OperationCanceledException)
        {
            return;
        }
        catch (WorkflowBackendException e)
        {
            // One sample less; the load continues.
            problem = e.Message;
        }

        foreach (var (name, _, _) in SoakGauges.OfServer)
        {
            var (value, reason) = snapshot is null ? (null, problem) : SoakGauges.Of(snapshot, name);
            if (value is { } known)
                Add(name, known);
            else
                _missing[name] = reason!;
        }
    }

    private void Add(string gauge, double value)
    {
        lock (_gate)
        {
            var (sum, count) = _gauges.GetValueOrDefault(gauge);
            _gauges[gauge] = (sum + value, count + 1);
        }
    }

    /// <returns>False when the watch was ended before.</returns>
    private async Task<bool> PauseUntilAsync(double seconds)
    {
        var wait = FromSeconds(Math.Max(0, seconds - Elapsed));
        await Task.Delay(wait, _stop.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return !_stop.IsCancellationRequested;
    }

    /// <summary>The trend by minute; each interval is placed at its middle.</summary>
    internal static Trend TrendOf(IReadOnlyList<SoakInterval> intervals, Func<SoakInterval, double?> value) =>
        TrendTest.Of([
            .. intervals
                .Select(interval => (At: (interval.OffsetSeconds + interval.LengthSeconds / 2) / 60, Value: value(interval)))
                .Where(point => point.Value is not null)
                .Select(point => (point.At, point.Value!.Value)),
        ]);
}

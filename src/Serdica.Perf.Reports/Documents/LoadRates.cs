namespace Serdica.Perf.Reports.Documents;

/// <summary>
/// Rates and p99 of all steps of a load test as curves. A point is at the end of its interval; between two steps is a gap.
/// </summary>
internal sealed class LoadRates(string targetName, string completedName, string readName = "read")
{
    private readonly List<double> _seconds = [];
    private readonly List<double?> _target = [];
    private readonly List<double?> _completed = [];
    private readonly List<double?> _read = [];
    private readonly List<double?> _p99 = [];

    /// <summary>A step that came to its end.</summary>
    public void Add(double begin, double? target, Timeline timeline, double durationSeconds)
    {
        Begin(begin, target);
        var intervals = timeline.WithoutShortEnd(durationSeconds * 1_000);
        for (var index = 0; index < intervals.Count; index++)
        {
            var end = index + 1 < intervals.Count ? intervals[index + 1].OffsetMs / 1000 : durationSeconds;
            Point(begin + end, target, intervals[index].PerSecond, intervals[index].ShownP99Ms);
        }
    }

    /// <summary>A step that was broken off, of which there are only samples.</summary>
    public void Add(double begin, double? target, IReadOnlyList<Sample> samples)
    {
        Begin(begin, target);
        foreach (var (from, to) in samples.Zip(samples.Skip(1)).Where(pair => pair.Second.T > pair.First.T))
            Point(begin + to.T, target, (to.Generator.Completed - from.Generator.Completed) / (to.T - from.T), null);
    }

    /// <summary>A test of the bare queue.</summary>
    public void Add(double begin, double? target, IReadOnlyList<QueueInterval> intervals)
    {
        Begin(begin, target);
        foreach (var interval in intervals)
            Point(begin + interval.AtSeconds, target, interval.WrittenPerSecond, interval.EndToEndP99Ms, interval.ReadPerSecond);
    }

    /// <summary>Null when nothing has been added.</summary>
    public ReportCurves? Curves(string latencyTitle) =>
        _seconds.Count == 0
            ? null
            : new(
                1,
                _seconds,
                [
                    new("Throughput", "operations per second", Told((targetName, _target), (completedName, _completed), (readName, _read))),
                    new(latencyTitle, "ms", Told(("p99", _p99))),
                ]
            );

    private static ReportCurve[] Told(params (string Name, List<double?> Values)[] curves) =>
        [.. curves.Where(curve => curve.Values.Any(value => value is not null)).Select(curve => new ReportCurve(curve.Name, curve.Values))];

    private void Begin(double at, double? target)
    {
        if (_seconds.Count > 0)
            Point(_seconds[^1], null, null, null);
        Point(at, target, null, null);
    }

    private void Point(double at, double? target, double? completed, double? p99, double? read = null)
    {
        _seconds.Add(Significant.Of(at));
        _target.Add(Significant.Of(target));
        _completed.Add(Significant.Of(completed));
        _read.Add(Significant.Of(read));
        _p99.Add(Significant.Of(p99));
    }
}

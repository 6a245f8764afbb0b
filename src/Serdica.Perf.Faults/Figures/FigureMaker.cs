using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Faults.Figures;

/// <summary>Makes the figures of each fault of what callers and activities have seen.</summary>
internal sealed class FigureMaker(
    long began,
    long ended,
    IEnumerable<Completion> completions,
    IEnumerable<long> failures,
    IEnumerable<long> repeats
)
{
    private const double Recovered = 0.95;

    /// <summary>Seconds before a fault that it is compared with: those that there are between two faults, and more where there are more.
    /// </summary>
    private const int FewestBefore = 3;
    private const int MostBefore = 30;

    /// <summary>A rate has recovered when it holds for this time.</summary>
    private static readonly long Window = Stopwatch.Frequency;

    private static readonly long Step = Stopwatch.Frequency / 100;

    private readonly Completion[] _completions = [.. completions.OrderBy(completion => completion.At)];
    private readonly long[] _failures = [.. failures.Order()];
    private readonly long[] _repeats = [.. repeats.Order()];

    public IReadOnlyList<FaultFigures> Make(IReadOnlyList<StruckFault> faults) =>
        [
            .. faults.Select((fault, i) =>
                Make(fault, i > 0 ? faults[i - 1].Ended : began, i + 1 < faults.Count ? faults[i + 1].Began : ended)
            ),
        ];

    /// <summary>Each whole second of the load.</summary>
    public IReadOnlyList<LoadSecond> Timeline() =>
        [.. Enumerable.Range(0, (int)Stopwatch.GetElapsedTime(began, ended).TotalSeconds).Select(Second)];

    private LoadSecond Second(int second)
    {
        var from = began + second * Stopwatch.Frequency;
        var to = from + Stopwatch.Frequency;
        return new()
        {
            At = second,
            Completed = Between(from, to).Length,
            P99 = P99(from, to),
            Failed = _failures.Count(at => at >= from && at < to),
        };
    }

    private FaultFigures Make(StruckFault fault, long last, long next)
    {
        var seconds = Math.Clamp((int)Stopwatch.GetElapsedTime(last, fault.Began).TotalSeconds / 2, FewestBefore, MostBefore);
        var before = fault.Began - seconds * Stopwatch.Frequency;
        var rate = Between(before, fault.Began).Length / (double)seconds;
        var reference = FaultTraits.Of(fault.Planned.Kind).OneHost ? fault.Began : fault.Ended;
        var failed = _failures.Where(at => at >= fault.Began && at < next).ToArray();
        var repeats = _repeats.Where(at => at >= fault.Began && at < next).ToArray();
        var p99 = P99(before, fault.Began);
        var late = Late(fault.Ended, p99);
        return new()
        {
            Kind = fault.Planned.Kind,
            Target = fault.Planned.Target,
            At = Stopwatch.GetElapsedTime(began, fault.Began).TotalSeconds,
            Lasted = Lasted(fault),
            Evidence = fault.Evidence.Sentence,
            EvidenceValue = fault.Evidence.Value,
            RateBefore = rate,
            RateKept = rate > 0 && fault.Ended > fault.Began ? Between(fault.Began, fault.Ended).Length / Lasted(fault) / rate : null,
            DetectedAfter = failed.Length > 0 ? Milliseconds(fault.Began, failed[0]) : null,
            RecoveredAfter = Recovery(reference, next, rate),
            WatchedFor = Math.Max(0, (next - Window - reference) * 1_000.0 / Stopwatch.Frequency),
            FailedCalls = failed.Length,
            P99Before = p99,
            P99During = P99(fault.Began, fault.Ended),
            P99After = P99(fault.Ended, next),
            Backlog = late?.Count,
            DrainedAfter = late is { Count: > 0 } ? Milliseconds(fault.Ended, late[^1]) : null,
            LongestPause = LongestPause(fault.Began, next),
            RepeatedActivities = repeats.Length,
            LastRepeatAfter = repeats.Length > 0 ? Milliseconds(fault.Began, repeats[^1]) : null,
        };
    }

    private static double Lasted(StruckFault fault) => Stopwatch.GetElapsedTime(fault.Began, fault.Ended).TotalSeconds;

    private double? Recovery(long from, long next, double rate)
    {
        // 95 % of nothing is there at once, and shows nothing.
        if (rate <= 0)
            return null;
        for (var at = from; at + Window <= next; at += Step)
        {
            if (Between(at, at + Window).Length >= rate * Recovered)
                return Milliseconds(from, at);
        }

        return null;
    }

    /// <summary>The ends of round trips that were open at a moment, and late already; null when it is not known what late is.</summary>
    private List<long>? Late(long at, double? p99)
    {
        if (p99 is null)
            return null;
        var late = new List<long>();
        foreach (var completion in _completions.AsSpan(Index(at)))
        {
            var waited = completion.Latency - Stopwatch.GetElapsedTime(at, completion.At);
            if (waited.TotalMilliseconds > p99)
                late.Add(completion.At);
        }

        return late;
    }

    private double? P99(long from, long to)
    {
        var histogram = new LatencyHistogram();
        foreach (var completion in Between(from, to))
            histogram.Record(completion.Latency);
        return histogram.ValueAtPercentile(99) / 1e6;
    }

    private double LongestPause(long from, long to)
    {
        var longest = 0L;
        var last = from;
        foreach (var completion in Between(from, to))
        {
            longest = Math.Max(longest, completion.At - last);
            last = completion.At;
        }

        return Milliseconds(0, Math.Max(longest, to - last));
    }

    private ReadOnlySpan<Completion> Between(long from, long to)
    {
        var first = Index(from);
        return _completions.AsSpan(first, Math.Max(0, Index(to) - first));
    }

    /// <summary>The place of the first completion that is not before a timestamp.</summary>
    private int Index(long at)
    {
        var (low, high) = (0, _completions.Length);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_completions[middle].At < at)
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }

    private static double Milliseconds(long from, long to) => Stopwatch.GetElapsedTime(from, to).TotalMilliseconds;
}

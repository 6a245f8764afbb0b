namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Counts by interval of completion. When a completion lies beyond the last interval, the length of all intervals is doubled until
/// it fits. Memory is bounded by <see cref="MaxIntervals"/> histograms of 18 KiB: 11 MiB. Not thread-safe.
/// </summary>
internal sealed class IntervalSeries
{
    public const int MaxIntervals = 600;

    /// <summary>One second divided by two to the fifth, so that repeated doubling arrives at exactly one second.</summary>
    private const long FinestNanoseconds = 31_250_000;

    private readonly IntervalCounts?[] _intervals = new IntervalCounts?[MaxIntervals];
    private readonly Stack<IntervalCounts> _free = [];

    public long IntervalNanoseconds { get; private set; } = FinestNanoseconds;

    /// <summary>Null when nothing completed in the interval.</summary>
    public IntervalCounts? this[int index] => index < MaxIntervals ? _intervals[index] : null;

    public void Record(long offsetNanoseconds, long latencyNanoseconds)
    {
        // A completion exactly on a boundary belongs to the earlier interval, as the last completion belongs to the window.
        offsetNanoseconds = Math.Max(0, offsetNanoseconds - 1);
        while (offsetNanoseconds / IntervalNanoseconds >= MaxIntervals)
            Coarsen();
        (_intervals[offsetNanoseconds / IntervalNanoseconds] ??= Take()).Record(latencyNanoseconds);
    }

    /// <summary>Allocates all the memory that it can ever need, so that recording allocates nothing.</summary>
    public void Reserve()
    {
        while (_free.Count < MaxIntervals)
            _free.Push(new());
    }

    /// <summary>Doubles the interval length: two neighbours become one.</summary>
    public void Coarsen()
    {
        for (var index = 0; index < MaxIntervals; index++)
        {
            var pair = 2 * index < MaxIntervals ? _intervals[2 * index] : null;
            if (2 * index + 1 < MaxIntervals && _intervals[2 * index + 1] is { } second)
            {
                if (pair is null)
                    pair = second;
                else
                {
                    pair.Merge(second);
                    second.Clear();
                    _free.Push(second);
                }
            }

            _intervals[index] = pair;
        }

        IntervalNanoseconds *= 2;
    }

    /// <summary>Adds a copy of another series; both use the coarser interval of the two afterwards.</summary>
    public void Merge(IntervalSeries other)
    {
        while (IntervalNanoseconds < other.IntervalNanoseconds)
            Coarsen();
        while (other.IntervalNanoseconds < IntervalNanoseconds)
            other.Coarsen();
        for (var index = 0; index < MaxIntervals; index++)
        {
            if (other._intervals[index] is { } counts)
                (_intervals[index] ??= Take()).Merge(counts);
        }
    }

    private IntervalCounts Take() => _free.TryPop(out var free) ? free : new();
}

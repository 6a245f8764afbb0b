namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Arrivals and ends by interval. When an event lies beyond the last interval, the length of all intervals is doubled. Not
/// thread-safe.
/// </summary>
internal sealed class BacklogIntervals
{
    private const int Count = 600;

    private readonly long[] _arrived = new long[Count];
    private readonly long[] _ended = new long[Count];
    private readonly long[] _completed = new long[Count];
    private readonly long[] _response = new long[Count];
    private long _length = TimeSpan.TicksPerMillisecond;

    public void Arrive(long at) => _arrived[IndexOf(at)]++;

    public void End(long at, long? response)
    {
        var index = IndexOf(at);
        _ended[index]++;
        if (response is not { } ticks)
            return;
        _completed[index]++;
        _response[index] += ticks;
    }

    /// <summary>Adds another series; both use the longer interval of the two afterwards.</summary>
    public void Merge(BacklogIntervals other)
    {
        while (_length < other._length)
            Double();
        while (other._length < _length)
            other.Double();
        foreach (var (own, others) in Columns().Zip(other.Columns()))
        {
            for (var index = 0; index < Count; index++)
                own[index] += others[index];
        }
    }

    /// <summary>What happened between two times. Events are treated as evenly spread within an interval.</summary>
    public BacklogPoint Between(double from, double to)
    {
        double area = 0,
            completed = 0,
            response = 0;
        long before = 0;
        for (var index = 0; index < Count && index * _length < to; index++)
        {
            var (begin, net) = ((double)index * _length, _arrived[index] - _ended[index]);
            var (first, last) = (Math.Max(begin, from), Math.Min(begin + _length, to));
            if (last > first)
            {
                var share = (last - first) / _length;
                area += (before + (net * (((first + last) / 2) - begin) / _length)) * (last - first);
                completed += _completed[index] * share;
                response += _response[index] * share;
            }

            before += net;
        }

        return new(
            (from + to) / 2 / TimeSpan.TicksPerSecond,
            area / (to - from),
            completed,
            completed > 0 ? response / completed / TimeSpan.TicksPerMillisecond : null
        );
    }

    private int IndexOf(long at)
    {
        at = Math.Max(0, at);
        while (at / _length >= Count)
            Double();
        return (int)(at / _length);
    }

    private void Double()
    {
        foreach (var column in Columns())
        {
            for (var index = 0; index < Count; index++)
                column[index] = 2 * index < Count ? column[2 * index] + column[(2 * index) + 1] : 0;
        }

        _length *= 2;
    }

    private long[][] Columns() => [_arrived, _ended, _completed, _response];
}

namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Lets operations arrive until the backlog reaches its upper bound, then none until it reaches its lower one. Not thread-safe.
/// </summary>
/// <param name="bounds">The bounds for operations that have arrived and not ended.</param>
internal sealed class BacklogGate(BacklogBounds bounds, Func<int> ended)
{
    private long? _closedAt;

    /// <summary>How many times the upper bound was reached.</summary>
    public int Cycles { get; private set; }

    /// <summary>The largest backlog.</summary>
    public int Peak { get; private set; }

    /// <summary>How long the schedule has been paused, in ticks of the stopwatch: it continues where it stopped.</summary>
    public long Paused { get; private set; }

    /// <summary>Checks the backlog.</summary>
    /// <returns>Whether the next one may arrive.</returns>
    public bool Admits(int arrived, long now)
    {
        var backlog = arrived - ended();
        Peak = Math.Max(Peak, backlog);
        if (_closedAt is null && backlog >= bounds.High)
        {
            _closedAt = now;
            Cycles++;
        }
        else if (_closedAt is { } since && backlog <= bounds.Low)
        {
            Paused += now - since;
            _closedAt = null;
        }

        return _closedAt is null;
    }
}

namespace Serdica.Perf.Faults.Runs;

/// <summary>
/// Tells when a number that is read again and again has stopped growing. Pools of connections grow for seconds, on a slow machine for
/// longer, and a number that is read meanwhile is too low for a baseline.
/// </summary>
internal sealed class Growth
{
    /// <summary>A number that did not grow for this time has stopped growing.</summary>
    public static readonly TimeSpan Quiet = FromSeconds(1);

    /// <summary>A number may grow without end; nobody waits for longer.</summary>
    public static readonly TimeSpan Limit = FromSeconds(30);

    /// <summary>The fewest readings that show it: a machine that stands still for a second has shown nothing.</summary>
    private const int LeastStill = 4;

    private TimeSpan? _began;
    private TimeSpan _grew;
    private int _still;

    /// <value>The largest number so far.</value>
    public long Most { get; private set; }

    /// <summary>Takes the next reading.</summary>
    /// <param name="at">When it was read, on any clock that does not go back.</param>
    public bool HasEnded(long value, TimeSpan at)
    {
        _began ??= at;
        if (value > Most || at == _began)
            (Most, _grew, _still) = (value, at, 0);
        else
            _still++;
        return (at - _grew >= Quiet && _still >= LeastStill) || at - _began >= Limit;
    }
}

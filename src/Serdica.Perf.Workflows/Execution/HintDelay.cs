namespace Serdica.Perf.Workflows;

/// <summary>
/// How late a process follows hints that all processes get and whose work one of them takes: an empty poll doubles the delay, a find
/// halves it, and it is forgotten when no hint comes for <see cref="Memory"/>. Not thread-safe.
/// </summary>
/// <remarks>Compiled into the PostgreSQL backend too, which follows the hints of each bucket like this.</remarks>
internal sealed class HintDelay(TimeProvider time)
{
    private static readonly TimeSpan First = FromMilliseconds(2);
    private static readonly TimeSpan Longest = FromMilliseconds(400);
    private static readonly TimeSpan Memory = FromMilliseconds(500);

    private long _lastHint;
    private TimeSpan _delay;

    /// <summary>A hint has come.</summary>
    /// <returns>After what time to follow it, which is not the same in all processes; zero for at once.</returns>
    public TimeSpan Heard()
    {
        var now = time.GetTimestamp();
        if (time.GetElapsedTime(_lastHint, now) > Memory)
            _delay = TimeSpan.Zero;
        _lastHint = now;
        return _delay * (0.5 + Random.Shared.NextDouble() / 2);
    }

    /// <summary>There was work.</summary>
    public void Found() => _delay = _delay > First ? _delay / 2 : TimeSpan.Zero;

    /// <summary>Another process had taken it.</summary>
    public void FoundNothing()
    {
        var longer = _delay == TimeSpan.Zero ? First : 2 * _delay;
        _delay = longer < Longest ? longer : Longest;
    }
}

namespace Serdica.Perf.Workflows;

/// <summary>
/// When the process that hints come to calls the others for help, and how those poll. Not thread-safe.
/// </summary>
internal sealed class HelpCalls(TimeProvider time)
{
    /// <summary>
    /// Work that has waited for longer is too much for one process. Several times as long as a batch takes, for what comes during one
    /// waits for its end.
    /// </summary>
    public static readonly TimeSpan Patience = FromMilliseconds(50);

    private static readonly TimeSpan Gap = FromMilliseconds(100);
    private static readonly TimeSpan ShortestPause = FromMilliseconds(10);
    private static readonly TimeSpan LongestPause = FromSeconds(1);

    private long? _called;
    private TimeSpan _pause;

    /// <param name="longestWait">For how long the earliest of what was found had been due.</param>
    public static bool IsLate(TimeSpan longestWait) => longestWait >= Patience;

    /// <summary>A poll showed that there is work for others: they are called, but not more often than they can come.</summary>
    public bool MayCall()
    {
        var now = time.GetTimestamp();
        if (_called is { } called && time.GetElapsedTime(called, now) < Gap)
            return false;
        _called = now;
        return true;
    }

    /// <summary>A process that hints do not come to has polled.</summary>
    /// <param name="isLate">Whether what it found was late: that is rarely alone.</param>
    /// <returns>After what time it polls again; null if not before it would anyway.</returns>
    public TimeSpan? NextPoll(bool isLate)
    {
        if (isLate)
        {
            _pause = ShortestPause;
            return TimeSpan.Zero;
        }

        if (_pause == TimeSpan.Zero)
            return null;
        var pause = _pause;
        _pause = 2 * pause < LongestPause ? 2 * pause : TimeSpan.Zero;
        return pause;
    }
}

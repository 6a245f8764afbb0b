namespace Serdica.Perf.Workflows;

/// <summary>How far ahead a signal may be due: beyond it, calendars of databases and of .NET run out.</summary>
internal static class Delays
{
    public static readonly TimeSpan Longest = FromDays(36_500);

    /// <summary>Timers of .NET end at 49 days.</summary>
    public static readonly TimeSpan LongestTimer = FromDays(30);

    /// <exception cref="ArgumentOutOfRangeException">The delay is longer than <see cref="Longest"/>.</exception>
    public static void Check(TimeSpan delay, string what)
    {
        if (delay > Longest)
            throw new ArgumentOutOfRangeException(nameof(delay), delay, $"The delay of {what} is longer than {Longest.TotalDays} days.");
    }

    /// <summary>The delay, or the longest that can be added to any clock.</summary>
    public static TimeSpan Cut(TimeSpan delay) => delay > Longest ? Longest : delay;

    /// <summary>The time, or the longest that a timer of this process can count.</summary>
    public static TimeSpan CutForTimer(TimeSpan time) => time > LongestTimer ? LongestTimer : time;
}

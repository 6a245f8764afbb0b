namespace Serdica.Perf.Workflows;

/// <summary>How far ahead a signal may be due: beyond it, calendars of databases and of .NET run out.</summary>
internal static class Delays
{
    public static readonly TimeSpan Longest = TimeSpan.FromDays(36_500);

    /// <exception cref="ArgumentOutOfRangeException">The delay is longer than <see cref="Longest"/>.</exception>
    public static void Check(TimeSpan delay, string what)
    {
        if (delay > Longest)
            throw new ArgumentOutOfRangeException(nameof(delay), delay, $"The delay of {what} is longer than {Longest.TotalDays} days.");
    }
}

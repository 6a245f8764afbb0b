namespace Serdica.Perf.Tests;

/// <summary>
/// How long a test waits for something that must happen. After it the test fails as one that hangs: it is no expectation of speed. On two
/// cores that run two test programs, waits of half a minute were seen.
/// </summary>
internal static class HangGuard
{
    public static TimeSpan Limit { get; } = TimeSpan.FromMinutes(3);
}

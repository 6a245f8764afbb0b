namespace Serdica.Perf.Tests;

/// <summary>
/// How long a test waits for something that must happen. After it the test fails as one that hangs: it is no expectation of speed. On two
/// cores that run two test programs, waits of half a minute were seen.
/// </summary>
internal static class HangGuard
{
    /// <summary>Between two looks at what nothing announces.</summary>
    private static readonly TimeSpan Pause = FromMilliseconds(20);

    public static TimeSpan Limit { get; } = FromMinutes(3);

    public static Task InTime(this Task task) => task.WaitAsync(Limit, Token);

    public static Task<T> InTime<T>(this Task<T> task) => task.WaitAsync(Limit, Token);

    /// <summary>Looks until something is so; the test fails with the sentence when it has taken too long.</summary>
    public static Task UntilAsync(Func<bool> isSo, Func<string> otherwise) => UntilAsync(() => Task.FromResult(isSo()), otherwise);

    /// <inheritdoc cref="UntilAsync(Func{bool}, Func{string})"/>
    public static Task UntilAsync(Func<Task<bool>> isSo, Func<string> otherwise) =>
        FindAsync(async () => await isSo() ? otherwise : null, otherwise);

    /// <summary>Looks until there is something; the test fails with the sentence when it has taken too long.</summary>
    public static async Task<T> FindAsync<T>(Func<Task<T?>> find, Func<string> otherwise)
        where T : class
    {
        for (var started = Stopwatch.GetTimestamp(); ; await Task.Delay(Pause, Token))
        {
            if (await find() is { } found)
                return found;
            if (Stopwatch.GetElapsedTime(started) > Limit)
                Assert.Fail($"{otherwise()} (waited {Limit.TotalSeconds:F0} s)");
        }
    }
}

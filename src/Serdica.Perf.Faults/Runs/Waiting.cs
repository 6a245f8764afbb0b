namespace Serdica.Perf.Faults.Runs;

internal static class Waiting
{
    /// <summary>Looks until what it sees is enough, or the limit has passed.</summary>
    /// <returns>What it saw last.</returns>
    public static async Task<T> UntilAsync<T>(
        Func<Task<T>> look,
        Func<T, bool> isEnough,
        TimeSpan pause,
        TimeSpan limit,
        CancellationToken cancellationToken
    )
    {
        for (var began = Stopwatch.GetTimestamp(); ; await Task.Delay(pause, cancellationToken))
        {
            var seen = await look();
            if (isEnough(seen) || Stopwatch.GetElapsedTime(began) > limit)
                return seen;
        }
    }
}

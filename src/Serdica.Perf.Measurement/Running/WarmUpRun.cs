namespace Serdica.Perf.Measurement.Running;

/// <summary>Drives a scenario before its measured window, in rounds with the load of the window.</summary>
/// <param name="drainLimit">How long the store may take after a round until nothing is left in it.</param>
internal sealed class WarmUpRun(Workload workload, LoadPlan plan, TimeSpan drainLimit)
{
    /// <summary>Long enough for a rate, and short enough that several of them show a slope within seconds.</summary>
    private static readonly TimeSpan RoundTime = FromMilliseconds(300);

    /// <summary>
    /// How often host processes are read. The runtime compiles anew what was called 30 times, which takes the processors for seconds
    /// when many hosts do it at once, as after 30 readings of a window.
    /// </summary>
    private static readonly TimeSpan ReadingInterval = FromMilliseconds(100);

    /// <summary>Operations of a round are prepared before it starts.</summary>
    private const int MostOfARound = 100_000;

    private readonly long _begin = Stopwatch.GetTimestamp();
    private readonly List<WarmUpRound> _rounds = [];

    /// <summary>Operations a second in the last round; null when nothing completed in it.</summary>
    public double? PerSecond => _rounds is [.., { Completed: > 0 } last] ? last.PerSecond : null;

    /// <summary>Runs rounds of about 0.3 s until the rule ends them.</summary>
    /// <param name="first">The operations of the first round, whose rate nobody knows.</param>
    public async Task<WarmUp> UntilWarmAsync(int first, WarmUpRule rule, CancellationToken cancellationToken)
    {
        await RoundAsync(first, rule.MostTime, cancellationToken);
        while (true)
        {
            if (rule.Judge(_rounds) is { } end)
                return Result(end);

            // Its time is known by the rate, and a round that is cut off leaves prepared instances open.
            await RoundAsync(NextCount(), limit: null, cancellationToken);
        }
    }

    /// <summary>Runs one round of a given number of operations.</summary>
    /// <param name="limit">No operation is started after this time; null: all are started unless the load stalls.</param>
    public async Task<WarmUp> OnceAsync(int count, TimeSpan? limit, CancellationToken cancellationToken)
    {
        await RoundAsync(count, limit, cancellationToken);
        return Result(_rounds[0].Completed >= count ? WarmUpEnd.OperationCount : WarmUpEnd.TimeLimit);
    }

    private async Task RoundAsync(int count, TimeSpan? limit, CancellationToken cancellationToken)
    {
        await using var readings = new SampleClock(workload.ReadHostsAsync, ReadingInterval);
        readings.Start();
        var load = plan with { MaxDuration = limit };
        var outcome = await MeasuredRun.PreludeAsync(workload, count, load, drainLimit, cancellationToken);
        _rounds.Add(new(Stopwatch.GetElapsedTime(_begin), outcome.Completed, outcome.Window));
    }

    /// <summary>By the rate with preparation and drain, which may take longer than the operations. Every caller has two at least.</summary>
    private int NextCount()
    {
        var begin = _rounds.Count > 1 ? _rounds[^2].EndsAt : TimeSpan.Zero;
        var last = _rounds[^1];
        var least = 2.0 * plan.Concurrency;
        return (int)Math.Clamp(last.Completed * (RoundTime / (last.EndsAt - begin)), least, Math.Max(MostOfARound, least));
    }

    private WarmUp Result(WarmUpEnd end) =>
        new(_rounds.Sum(round => (long)round.Completed), Stopwatch.GetElapsedTime(_begin).TotalMilliseconds, end);
}

using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Backends;

/// <summary>How much write-ahead log a measurement will write at most, for <see cref="DatabaseRequest.ExpectedLogBytes"/>.</summary>
internal static class ExpectedLog
{
    /// <summary>A round trip writes 1.3 KB on PostgreSQL and 2.7 KB on DocumentDB.</summary>
    private const long BytesPerOperation = 4 << 10;

    /// <summary>The bare queue writes 36 MB/s where it reads and writes 26,000 messages of 1 KB a second.</summary>
    private const long BytesPerSecond = 64 << 20;

    /// <summary>Start, signals, activities, children and timers of one instance.</summary>
    private const int MostStepsOfRound = 8;

    /// <summary>A warm-up usually ends about a second after the least time that it has.</summary>
    private static readonly TimeSpan AfterTheLeast = FromSeconds(1);

    /// <summary>A warm-up, and the 2 s for which few operations are repeated.</summary>
    private static readonly TimeSpan UntilMeasured = LoadProfile.ShortestWarmUp + AfterTheLeast + FromSeconds(2);

    /// <returns>Null when one of the scenarios runs for a duration.</returns>
    public static long? Of(IEnumerable<Scenario> scenarios, RunOptions options, int repeats)
    {
        var bytes = 0L;
        foreach (var scenario in scenarios)
        {
            var parameters = options.Apply(scenario, repeat: 1);
            if (parameters.DurationSeconds is not null)
                return null;
            var warmUp = options.WarmUp ?? (scenario.IsBrief(options) ? scenario.FirstWarmUp(parameters) : null);
            bytes += (parameters.Operations + (long)(warmUp ?? 0)) * BytesPerOperation + (warmUp is null ? OfTime(UntilMeasured) : 0);
        }

        return bytes * repeats;
    }

    /// <summary>The log of all steps and of the warm-up; null for a backlog, whose work is in its drain.</summary>
    public static long? Of(LoadProfile profile) =>
        profile.Steps.Any(step => step.Kind == LoadKind.BurnDown)
            ? null
            : OfTime(profile.Steps.Aggregate(WarmUpOf(profile.WarmUp), (sum, step) => sum + step.Duration));

    /// <summary>The log of all levels and repeats.</summary>
    public static long Of(IEnumerable<QueuePlan> plans, int repeats) =>
        OfTime(plans.Aggregate(TimeSpan.Zero, (sum, plan) => sum + plan.WarmUp + plan.Duration)) * repeats;

    /// <summary>The log of blocks of raw SQL and the engine, for one number of callers after the other.</summary>
    /// <param name="blocks">Each of two measurements of raw SQL and two of the engine.</param>
    /// <param name="duration">Of each measurement. A warm-up of the engine takes as long, or the usual time.</param>
    public static long OfBlocks(int levels, int blocks, TimeSpan duration)
    {
        var warmUp = WarmUpOf(duration < LoadProfile.ShortestWarmUp ? duration : LoadProfile.ShortestWarmUp);
        return OfTime(levels * ((2 * blocks * duration) + (((2 * blocks) + 1) * (duration + warmUp))));
    }

    /// <summary>The log of callers who may pause before each round trip, which may have several steps.</summary>
    public static long OfCallers(int callers, TimeSpan pause, TimeSpan duration) =>
        pause > TimeSpan.Zero
            ? (long)Math.Min(callers * (duration / pause) * MostStepsOfRound * BytesPerOperation, OfTime(duration))
            : OfTime(duration);

    /// <summary>See <see cref="UntilMeasured"/>; a warm-up that is too short to be judged ends after its time.</summary>
    private static TimeSpan WarmUpOf(TimeSpan least) => least < LoadProfile.ShortestWarmUp ? least : least + AfterTheLeast;

    private static long OfTime(TimeSpan time) => (long)(time.TotalSeconds * BytesPerSecond);
}

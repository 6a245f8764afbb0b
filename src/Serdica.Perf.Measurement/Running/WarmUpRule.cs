using Serdica.Perf.Analysis.Soak;

namespace Serdica.Perf.Measurement.Running;

/// <summary>
/// Decides when a scenario or a load test is warm: after a floor of operations and of time, as soon as the rate of the latest rounds no
/// longer rises. Pure.
/// </summary>
internal sealed record WarmUpRule
{
    /// <summary>The latest rounds whose slope is judged.</summary>
    private const int Judged = TrendTest.FewestPoints;

    /// <summary>The rate counts as flat when it rises by at most this share of its median over the judged rounds.</summary>
    private const double Flat = 0.05;

    /// <summary>Code is compiled for good only after many calls of each method, and in the background.</summary>
    private const int FewestOperations = 2_000;

    /// <summary>The in-memory backend keeps all of them in the process until the scenario ends.</summary>
    private const long DefaultMostOperations = 250_000;

    /// <summary>Each caller opens connections, prepares statements and fills pools of its own.</summary>
    private const int FewestOfACaller = 8;

    public required int LeastOperations { get; init; }

    /// <value>Default <see cref="LoadProfile.ShortestWarmUp"/>.</value>
    public TimeSpan LeastTime { get; init; } = LoadProfile.ShortestWarmUp;

    /// <value>The warm-up ends after this time even when the rate still rises.</value>
    public required TimeSpan MostTime { get; init; }

    /// <value>The warm-up ends after this number of operations, however short it was; default 250,000.</value>
    public long MostOperations { get; init; } = DefaultMostOperations;

    /// <summary>The rule for a scenario.</summary>
    public static WarmUpRule Of(ScenarioParameters parameters, RunOptions options)
    {
        var processes = ProcessesOf(options.Hosts);
        return new()
        {
            LeastOperations = LeastOperationsOf(parameters.Concurrency, processes),
            MostTime = processes * options.WarmUpLimit,
            MostOperations = processes * DefaultMostOperations,
        };
    }

    /// <summary>The rule for the warm-up that a load test declares.</summary>
    /// <param name="declared">
    /// The least time. Below <see cref="LoadProfile.ShortestWarmUp"/> it is the most time too, for whoever wants it short.
    /// </param>
    /// <param name="hosts">The number of host processes; 0 is a host in this process.</param>
    public static WarmUpRule Of(int callers, TimeSpan declared, int hosts)
    {
        var processes = ProcessesOf(hosts);
        var limit = processes * new RunOptions().WarmUpLimit;
        return new()
        {
            LeastOperations = LeastOperationsOf(callers, processes),
            LeastTime = declared > LoadProfile.ShortestWarmUp ? declared : LoadProfile.ShortestWarmUp,
            MostTime = declared < LoadProfile.ShortestWarmUp || declared > limit ? declared : limit,
            MostOperations = declared > LoadProfile.ShortestWarmUp ? long.MaxValue : processes * DefaultMostOperations,
        };
    }

    /// <returns>Why the warm-up ends now; null when it goes on.</returns>
    public WarmUpEnd? Judge(IReadOnlyList<WarmUpRound> rounds)
    {
        var last = rounds[^1];
        if (last.Completed == 0)
            return WarmUpEnd.NothingCompleted;
        var operations = rounds.Sum(round => (long)round.Completed);
        if (last.EndsAt >= LeastTime && operations >= LeastOperations && IsFlat(rounds))
            return WarmUpEnd.Steady;
        return operations >= MostOperations ? WarmUpEnd.OperationCount
            : last.EndsAt >= MostTime ? WarmUpEnd.TimeLimit
            : null;
    }

    private static int LeastOperationsOf(int callers, int processes) => Math.Max(processes * FewestOperations, FewestOfACaller * callers);

    /// <summary>Each process of a host compiles its code for itself, with its share of the operations and of the processors.</summary>
    private static int ProcessesOf(int hosts) => Math.Max(1, hosts);

    private static bool IsFlat(IReadOnlyList<WarmUpRound> rounds)
    {
        (double At, double Value)[] points =
        [
            .. rounds.Skip(rounds.Count - Judged).Select(round => (round.EndsAt.TotalSeconds, round.PerSecond)),
        ];
        var rise = TrendTest.Of(points).Slope * (points[^1].At - points[0].At);
        return rise <= Flat * points.Select(point => point.Value).Order().ElementAt(points.Length / 2);
    }
}

/// <summary>One load of a warm-up, and its drain.</summary>
/// <param name="Window">From its start to its last completion.</param>
internal sealed record WarmUpRound(TimeSpan EndsAt, int Completed, TimeSpan Window)
{
    public double PerSecond => Completed / Window.TotalSeconds;
}

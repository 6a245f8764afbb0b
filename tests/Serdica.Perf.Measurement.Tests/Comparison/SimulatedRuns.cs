namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Runs whose repeats spread as those of the build machine do: by factors, and most metrics of a repeat together.</summary>
internal static class SimulatedRuns
{
    public const string Name = "postgresql-signal-roundtrip-throughput-parallel";

    /// <summary>What all repeats share.</summary>
    private static readonly ScenarioResult Scenario = SampleRun.Scenario(
        "signal-roundtrip-throughput-parallel",
        "WorkflowPerfThroughput",
        ScenarioFamilies.SignalRoundtrip
    );

    /// <summary>A history that knows: forty runs of these scenarios lay within about half a percent.</summary>
    public static ComparisonSettings Steady(ComparisonSettings settings) =>
        settings with
        {
            BetweenRuns = (
                from name in (string[])[Name, "postgresql-second"]
                from metric in MetricDirections.Names
                select (name, metric)
            ).ToDictionary(key => key, _ => new RunNoise(0.005, 39, 40)),
        };

    /// <param name="slowerBy">0.1 makes all times 10 % longer.</param>
    /// <param name="between">Standard deviation of the logarithm of a run's speed, which all its repeats share.</param>
    public static RunResult Run(Random random, int repeats, double spread, double slowerBy = 0, double between = 0)
    {
        var slower = (1 + slowerBy) * (between == 0 ? 1 : Math.Exp(between * Noise.Normal(random)));
        return Of(Range(1, repeats).Select(repeat => Repeat(random, repeat, spread, slower)));
    }

    /// <summary>One repeat for each throughput, with latencies that follow from it.</summary>
    public static RunResult OfThroughputs(params double[] perSecond) =>
        Of(
            perSecond.Select(
                (value, index) => Repeat(index + 1, value, 20 * 10_000 / value, 60 * 10_000 / value, 90 * 10_000 / value, 1_300)
            )
        );

    /// <summary>The run as that of a commit, which a history keeps; each commit is measured an hour after the one before it.</summary>
    public static RunResult AsCommit(RunResult run, int number) =>
        run with
        {
            StartedAt = new DateTimeOffset(2026, 11, 1, 0, 0, 0, TimeSpan.Zero).AddHours(number),
            Environment = run.Environment with
            {
                Source = new() { Commit = number.ToString("x40", CultureInfo.InvariantCulture), Dirty = false },
            },
        };

    /// <summary>Without a summary of repeats: no comparison reads it.</summary>
    private static RunResult Of(IEnumerable<ScenarioResult> repeats) =>
        SampleRun.Passed with { Scenarios = [.. repeats], Warnings = [], Repeats = [], NotMeasured = [] };

    private static ScenarioResult Repeat(Random random, int repeat, double spread, double slower)
    {
        var shared = Noise.Normal(random);
        double Time(double typical) => typical * slower * Math.Exp(spread * (0.8 * shared + 0.6 * Noise.Normal(random)));
        return Repeat(
            repeat,
            10_000 * 10_000 / Time(10_000),
            Time(20),
            Time(60),
            Time(90),
            1_300 * Math.Exp(0.02 * Noise.Normal(random))
        ) with
        {
            Drain = new(Time(3)),
            Phases = new Dictionary<string, LatencySummary>
            {
                [PhaseNames.Start] = Latency(Time(5), Time(20), Time(25)),
                [PhaseNames.SignalPublish] = Latency(Time(4), Time(18), Time(21)),
                [PhaseNames.SignalToCompletion] = Latency(Time(11), Time(40), Time(50)),
            },
        };
    }

    private static ScenarioResult Repeat(int repeat, double perSecond, double p50, double p99, double max, double walBytes) =>
        Scenario with
        {
            Parameters = Scenario.Parameters with { Repeat = repeat },
            Counts = new() { Started = 20_000, Completed = 20_000 },
            DurationMs = 20_000 / perSecond * 1_000,
            ResponseTime = Latency(p50, p99, max),
            CostPerOperation = new Metrics
            {
                [MetricNames.WritingCommits] = MetricValue.Of(3),
                [MetricNames.WalBytes] = MetricValue.Of(walBytes, "bytes"),
            },
        };

    private static LatencySummary Latency(double p50, double p99, double max) =>
        new() { Count = 20_000, P50Ms = p50, P95Ms = p50 + (p99 - p50) / 2, P99Ms = p99, MaxMs = max };
}

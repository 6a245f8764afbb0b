namespace Serdica.Perf.Analysis.Comparison;

/// <summary>A figure that is compared.</summary>
/// <param name="Name">The name as in <c>perf-gate.json</c>, for instance <c>p99</c>, <c>start.p50</c> or <c>cost.walBytes</c>.</param>
/// <param name="Unit">The unit, for instance <c>ms</c>; null for a plain count.</param>
/// <param name="Read">Reads the figure of one repeat; null when the repeat has none.</param>
internal sealed record ComparedMetric(string Name, string? Unit, Func<ScenarioResult, double?> Read)
{
    public const string Throughput = "throughput";

    /// <summary>Operations that failed in a repeat that tolerated them.</summary>
    public const string Errors = "errors";

    /// <summary>Dead letters that the scenario did not cause on purpose.</summary>
    public const string DeadLetters = "deadLetters";

    internal const string CostPrefix = "cost.";

    /// <summary>
    /// Milliseconds. Below it a latency shows the order of two clock readings and no work of the database, and its ratio to another
    /// one means nothing. A signal that is decided directly, for instance, completes its instance before its publish returns.
    /// </summary>
    internal const double ShortestLatencyMs = 0.01;

    /// <summary>Listed only when they are not 0, because they nearly always are.</summary>
    private static readonly ComparedMetric[] Counts =
    [
        new(Errors, null, repeat => repeat.Counts.Failed),
        new(DeadLetters, null, repeat => repeat.Counts.DeadLettered),
    ];

    /// <summary>
    /// The operations behind the figure of a repeat where they are too few for reports to show it, by the rule of
    /// <see cref="ScenarioResult.ShownPerSecond"/> and <see cref="LatencySummary.Shown"/>; null where they are enough.
    /// </summary>
    public Func<ScenarioResult, long?> TooFew { get; init; } = _ => null;

    /// <summary>Why a repeat does not have the figure; null where it has, and where nobody said why.</summary>
    public Func<ScenarioResult, string?> WhyMissing { get; init; } = _ => null;

    /// <summary>Whether it is one of the few metrics by which code is judged first; the others explain a change.</summary>
    public bool IsPrimary =>
        Name is Throughput or "p50" or "p99" or CostPrefix + MetricNames.WritingCommits or CostPrefix + MetricNames.WalBytes;

    public MetricDirection Direction => MetricDirections.Of(Name);

    /// <summary>Whether the figure depends on the speed of the load. Counts and costs per operation mostly do not.</summary>
    public bool IsTiming => IsTimingName(Name);

    /// <summary>
    /// Every metric that any repeat has, the main one first. Latencies are response times, which count from the intended start.
    /// The processor time of the whole machine is left out because it includes other programs.
    /// </summary>
    public static IReadOnlyList<ComparedMetric> Of(IReadOnlyCollection<ScenarioResult> repeats)
    {
        var phases = repeats.SelectMany(repeat => repeat.Phases.Keys).Distinct().Order(StringComparer.Ordinal);
        var costs = repeats
            .SelectMany(repeat => repeat.CostPerOperation)
            .Where(cost => cost.Value.Value is not null && cost.Key != MetricNames.MachineCpu)
            .DistinctBy(cost => cost.Key)
            .OrderBy(cost => cost.Key, StringComparer.Ordinal);
        return
        [
            new(Throughput, "op/s", repeat => repeat.ThroughputPerSecond)
            {
                TooFew = repeat => repeat.ShownPerSecond is null ? repeat.Counts.Completed : null,
            },
            Latency("p50", repeat => repeat.ResponseTime, latency => latency.P50Ms),
            Latency("p95", repeat => repeat.ResponseTime, latency => latency.P95Ms),
            Latency("p99", repeat => repeat.ResponseTime, latency => latency.P99Ms),
            Latency("max", repeat => repeat.ResponseTime, latency => latency.MaxMs),
            .. phases.SelectMany(phase =>
                (ComparedMetric[])
                    [
                        Latency($"{phase}.p50", repeat => repeat.Phases.GetValueOrDefault(phase), latency => latency.P50Ms),
                        Latency($"{phase}.p99", repeat => repeat.Phases.GetValueOrDefault(phase), latency => latency.P99Ms),
                    ]
            ),
            Time("drain", repeat => repeat.Drain?.DurationMs),
            .. Counts.Where(count => repeats.Any(repeat => count.Read(repeat) > 0)),
            .. costs.Select(cost => new ComparedMetric(CostPrefix + cost.Key, cost.Value.Unit, repeat =>
                repeat.CostPerOperation.GetValueOrDefault(cost.Key)?.Value
            )
            {
                WhyMissing = repeat => repeat.CostPerOperation.GetValueOrDefault(cost.Key)?.Reason,
            }),
        ];
    }

    /// <inheritdoc cref="IsTiming"/>
    internal static bool IsTimingName(string name) =>
        name is not (Errors or DeadLetters) && !name.StartsWith(CostPrefix, Ordinal);

    /// <summary>The metric of that name; null when no repeat has it. A count exists even when it is 0 in all repeats.</summary>
    internal static ComparedMetric? Find(string name, IReadOnlyCollection<ScenarioResult> repeats) =>
        Of(repeats).Concat(Counts).FirstOrDefault(metric => metric.Name == name);

    private static ComparedMetric Latency(string name, Func<ScenarioResult, LatencySummary?> of, Func<LatencySummary, double?> read) =>
        Time(name, repeat => of(repeat) is { } latency ? read(latency) : null) with
        {
            TooFew = repeat =>
                of(repeat) is { } latency && read(latency) is not null && read(latency.Shown()) is null ? latency.Count : null,
        };

    private static ComparedMetric Time(string name, Func<ScenarioResult, double?> read) =>
        new(name, "ms", repeat => read(repeat) is { } time and > 0 ? Math.Max(time, ShortestLatencyMs) : read(repeat));
}

using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Comparison;

/// <summary>A figure that is compared.</summary>
/// <param name="Name">As in <c>perf-gate.json</c>, for instance <c>p99</c>, <c>start.p50</c> or <c>cost.walBytes</c>.</param>
/// <param name="Unit">For instance <c>ms</c>; null for a plain count.</param>
/// <param name="Read">The figure of one repeat; null when it has none.</param>
public sealed record ComparedMetric(string Name, string? Unit, Func<ScenarioResult, double?> Read)
{
    public const string Throughput = "throughput";

    private const string CostPrefix = "cost.";

    /// <summary>Operations of a repeat below which the percentile is another name for the maximum.</summary>
    public int FewestOperations { get; init; }

    public bool HigherIsBetter => Name == Throughput;

    /// <summary>Whether the figure depends on how fast the load came, which a cost per operation mostly does not.</summary>
    public bool IsTiming => !Name.StartsWith(CostPrefix, StringComparison.Ordinal);

    /// <summary>
    /// Every metric that any of the repeats has, the headline first. Latencies are response times, which count from the
    /// intended start. The processor time of the whole machine is left out: others are in it.
    /// </summary>
    public static IReadOnlyList<ComparedMetric> Of(IReadOnlyCollection<ScenarioResult> repeats)
    {
        ArgumentNullException.ThrowIfNull(repeats);
        var phases = repeats.SelectMany(repeat => repeat.Phases.Keys).Distinct().Order(StringComparer.Ordinal);
        var costs = repeats.SelectMany(repeat => repeat.CostPerOperation)
            .Where(cost => cost.Value.Value is not null && cost.Key != MetricNames.MachineCpu)
            .DistinctBy(cost => cost.Key).OrderBy(cost => cost.Key, StringComparer.Ordinal);
        return
        [
            new(Throughput, "op/s", repeat => repeat.ThroughputPerSecond),
            Latency("p50", repeat => repeat.ResponseTime.P50Ms),
            Latency("p95", repeat => repeat.ResponseTime.P95Ms, fewest: 20),
            Latency("p99", repeat => repeat.ResponseTime.P99Ms, fewest: 100),
            Latency("max", repeat => repeat.ResponseTime.MaxMs),
            .. phases.SelectMany(phase => (ComparedMetric[])
            [
                Latency($"{phase}.p50", repeat => repeat.Phases.GetValueOrDefault(phase)?.P50Ms),
                Latency($"{phase}.p99", repeat => repeat.Phases.GetValueOrDefault(phase)?.P99Ms, fewest: 100),
            ]),
            Latency("drain", repeat => repeat.Drain?.DurationMs),
            .. costs.Select(cost => new ComparedMetric(
                CostPrefix + cost.Key, cost.Value.Unit, repeat => repeat.CostPerOperation.GetValueOrDefault(cost.Key)?.Value)),
        ];
    }

    private static ComparedMetric Latency(string name, Func<ScenarioResult, double?> read, int fewest = 0) =>
        new(name, "ms", read) { FewestOperations = fewest };
}

using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.Results;

/// <summary>
/// The repeats of one scenario side by side. Percentiles of repeats are never averaged: this gives the median repeat and
/// how far the others lie from it. Only repeats that passed have figures here.
/// </summary>
public sealed record RepeatSummary
{
    public required string Name { get; init; }

    public required int Repeats { get; init; }

    public required int Passed { get; init; }

    public Spread? ThroughputPerSecond { get; init; }

    public Spread? AverageMs { get; init; }

    public Spread? P50Ms { get; init; }

    public Spread? P95Ms { get; init; }

    public Spread? P99Ms { get; init; }

    public Spread? MaxMs { get; init; }

    /// <summary>One summary for every scenario that was measured more than once, in the order of the first of each.</summary>
    public static IReadOnlyList<RepeatSummary> Of(IEnumerable<ScenarioResult> scenarios) =>
        [.. scenarios.GroupBy(scenario => scenario.Name).Where(repeats => repeats.Count() > 1).Select(Summarize)];

    private static RepeatSummary Summarize(IGrouping<string, ScenarioResult> repeats)
    {
        var passed = repeats.Where(repeat => repeat.ThroughputPerSecond is not null).ToArray();
        Spread? Latency(Func<LatencySummary, double?> figure) =>
            Spread.Of(passed.Select(repeat => figure(repeat.ResponseTime)));

        return new()
        {
            Name = repeats.Key,
            Repeats = repeats.Count(),
            Passed = passed.Length,
            ThroughputPerSecond = Spread.Of(passed.Select(repeat => repeat.ThroughputPerSecond)),
            AverageMs = Latency(latency => latency.AverageMs),
            P50Ms = Latency(latency => latency.P50Ms),
            P95Ms = Latency(latency => latency.P95Ms),
            P99Ms = Latency(latency => latency.P99Ms),
            MaxMs = Latency(latency => latency.MaxMs),
        };
    }
}

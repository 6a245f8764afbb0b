namespace Serdica.Perf.Analysis.Recomputing;

/// <summary>The figures of one measurement, computed from its raw data.</summary>
internal static class ScenarioFigures
{
    /// <summary>One sentence for each kind of raw data that a figure needs and that is not there.</summary>
    public static IEnumerable<string> Missing(RunArtifacts artifacts, ScenarioResult scenario)
    {
        var lacking = Latencies(scenario)
            .Where(latency => latency.Summary is { Count: > 0 } && artifacts.Histogram(scenario, latency.Phase) is null)
            .Select(latency => latency.Phase);
        foreach (var phase in lacking)
            yield return $"{scenario.Name}: there is no raw histogram of {phase}.";
        if (scenario.Timeline is { } timeline && artifacts.Intervals(scenario)?.Intervals.Count != timeline.Intervals.Count)
            yield return $"{scenario.Name}: there are no raw histograms of the intervals of its timeline.";
    }

    /// <summary>The measurement with its figures computed again; <see cref="Missing"/> has found nothing.</summary>
    public static ScenarioResult Of(RunArtifacts artifacts, ScenarioResult scenario)
    {
        LatencySummary Summary(string phase) => artifacts.Histogram(scenario, phase)?.Summarize() ?? LatencySummary.Empty;

        var response = Summary(PhaseNames.ResponseTime);
        return scenario with
        {
            // Each completed operation has one response time.
            Counts = scenario.Counts with { Completed = response.Count },
            ServiceTime = Summary(PhaseNames.ServiceTime),
            ResponseTime = response,
            LatencyToDrain = scenario.LatencyToDrain is null ? null : Summary(PhaseNames.LatencyToDrain),
            Phases = scenario.Phases.ToDictionary(phase => phase.Key, phase => Summary(phase.Key)),
            GeneratorLag = scenario.GeneratorLag is null ? null : Summary(PhaseNames.GeneratorLag),
            Lateness = scenario.Lateness is null ? null : Summary(PhaseNames.Lateness),
            Timeline = scenario.Timeline is { } timeline ? Of(timeline, artifacts.Intervals(scenario)!, scenario.DurationMs) : null,
            CostPerOperation = scenario.CostPerOperation.ToDictionary(
                cost => cost.Key,
                cost => cost.Value with { Value = Reading(scenario, cost.Key) / response.Count }
            ),
        };
    }

    /// <summary>A timeline of raw data alone; its p99 are the upper bounds of their buckets.</summary>
    /// <param name="windowMs">The length of the measured window in milliseconds.</param>
    public static Timeline TimelineOf(IntervalHistograms raw, double windowMs) =>
        Of(
            new()
            {
                IntervalMs = raw.IntervalMs,
                Intervals = [.. raw.Intervals.Select((_, index) => new TimelineInterval(index * raw.IntervalMs, 0, 0, null))],
            },
            raw,
            windowMs
        );

    private static IEnumerable<(string Phase, LatencySummary? Summary)> Latencies(ScenarioResult scenario) =>
        [
            (PhaseNames.ServiceTime, scenario.ServiceTime),
            (PhaseNames.ResponseTime, scenario.ResponseTime),
            (PhaseNames.LatencyToDrain, scenario.LatencyToDrain),
            (PhaseNames.GeneratorLag, scenario.GeneratorLag),
            (PhaseNames.Lateness, scenario.Lateness),
            .. scenario.Phases.Select(phase => (phase.Key, (LatencySummary?)phase.Value)),
        ];

    private static double? Reading(ScenarioResult scenario, string metric) =>
        (scenario.DatabaseMetrics.GetValueOrDefault(metric) ?? scenario.EngineMetrics.GetValueOrDefault(metric))?.Value;

    private static Timeline Of(Timeline stored, IntervalHistograms raw, double windowMs)
    {
        var intervals = stored
            .Intervals.Zip(raw.Intervals, (interval, buckets) => Of(interval, buckets, raw.IntervalMs, windowMs))
            .ToArray();
        return new()
        {
            IntervalMs = raw.IntervalMs,
            Intervals = intervals,
            TailRatio = ThroughputTimeline.TailRatio(intervals, windowMs),
            WorstP99Ms = intervals.Max(interval => interval.P99Ms),
        };
    }

    private static TimelineInterval Of(TimelineInterval stored, IntervalBuckets buckets, double intervalMs, double windowMs)
    {
        var count = buckets.Counts.Sum();
        var lengthMs = Math.Min(intervalMs, windowMs - stored.OffsetMs);
        return new(stored.OffsetMs, count, count / (lengthMs / 1_000), P99(buckets, count, stored.P99Ms));
    }

    /// <summary>The stored p99 where it lies in the bucket of the 99th percentile, which is wider than the stored figure is fine.</summary>
    private static double? P99(IntervalBuckets buckets, long count, double? stored)
    {
        if (count == 0)
            return null;

        var rank = (count * 99 + 99) / 100;
        long seen = 0;
        var (low, high) = IntervalHistograms.Bounds(
            buckets.Indexes.Zip(buckets.Counts).First(bucket => (seen += bucket.Second) >= rank).First
        );
        return stored * 1e6 >= low - 0.5 && stored * 1e6 <= high + 0.5 ? stored : high / 1e6;
    }
}

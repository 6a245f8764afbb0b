namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// What the server did under several generators. Its counters are of the whole database, which all generators share: each has
/// seen the work of all, so the longest observation counts. The figures of the engines are added.
/// </summary>
internal static class MergedServer
{
    private static readonly string[] Summed =
    [
        MetricNames.EngineCpu,
        MetricNames.Allocated,
        MetricNames.CollectionPause,
        MetricNames.FullCollections,
    ];

    /// <param name="merged">The result with the counts of all generators.</param>
    /// <param name="parts">The step as measured by each generator; an empty list changes nothing.</param>
    public static ScenarioResult AddTo(ScenarioResult merged, IReadOnlyList<ScenarioResult> parts)
    {
        if (parts.Count == 0)
            return merged;

        var seen = parts.MaxBy(part => part.WatchedMs)!;
        var engine = Engine(parts);
        return merged with
        {
            Drain = seen.Drain,
            DatabaseMetrics = seen.DatabaseMetrics,
            TopWaits = seen.TopWaits,
            WaitsMissing = seen.WaitsMissing,
            TopStatements = seen.TopStatements,
            StatementsMissing = seen.StatementsMissing,
            EngineMetrics = engine,
            CostPerOperation =
                merged.Counts.Completed == 0
                    ? new Dictionary<string, MetricValue>()
                    : seen.CostPerOperation.ToDictionary(
                        cost => cost.Key,
                        cost => cost.Value with { Value = Total(cost, seen, engine) / merged.Counts.Completed }
                    ),
        };
    }

    private static double? Total(KeyValuePair<string, MetricValue> cost, ScenarioResult seen, Dictionary<string, MetricValue> engine) =>
        engine.TryGetValue(cost.Key, out var summed) ? summed.Value : cost.Value.Value * seen.Counts.Completed;

    private static Dictionary<string, MetricValue> Engine(IReadOnlyList<ScenarioResult> parts)
    {
        var engine = new Dictionary<string, MetricValue>();
        foreach (var name in Summed)
        {
            var values = parts.Select(part => part.EngineMetrics.GetValueOrDefault(name)).OfType<MetricValue>().ToArray();
            if (values.Length == parts.Count)
                engine[name] = values[0] with { Value = values.Aggregate((double?)0, (sum, value) => sum + value.Value) };
        }

        // All generators saw the same machine.
        if (
            parts
                .Select(part => part.EngineMetrics.GetValueOrDefault(MetricNames.MachineCpu))
                .OfType<MetricValue>()
                .MaxBy(value => value.Value) is
            { } machine
        )
            engine[MetricNames.MachineCpu] = machine;
        return engine;
    }
}

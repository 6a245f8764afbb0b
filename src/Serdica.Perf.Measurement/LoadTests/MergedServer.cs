namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// What the server did under several generators. Most of its counters cover the whole database, which all generators share: each has
/// seen the work of all, so the longest observation counts. Figures of an engine, and of a generator's own store and process, are added.
/// </summary>
internal static class MergedServer
{
    private static readonly string[] OfEngine =
    [
        MetricNames.EngineCpu,
        MetricNames.Allocated,
        MetricNames.CollectionPause,
        MetricNames.FullCollections,
    ];

    /// <summary>Figures with the scope schema, store or engine; see the tables of docs/reading-results.md.</summary>
    internal static readonly IReadOnlySet<string> OfPostgreSql = new HashSet<string>
    {
        "rowsInserted",
        "rowsUpdated",
        "rowsDeleted",
        MetricNames.RowsTouched,
        "rowsHotUpdated",
        MetricNames.DeadRows,
        "liveRows",
        "tableBytes",
        "indexBytes",
        MetricNames.Vacuums,
        MetricNames.Autovacuums,
        "vacuumsWithoutEffect",
        "unreadBatches",
        "refusedBatches",
        MetricNames.RoundTrips,
        "writeRetries",
    };

    /// <inheritdoc cref="OfPostgreSql"/>
    internal static readonly IReadOnlySet<string> OfMongoDb = new HashSet<string>
    {
        "writeRetries",
        "liveRows",
        "tableBytes",
        "tableFreeBytes",
        "indexBytes",
        "indexUses",
    };

    /// <inheritdoc cref="OfPostgreSql"/>
    internal static readonly IReadOnlySet<string> OfOracle = new HashSet<string>
    {
        "backlogReady",
        "backlogWaiting",
        "backlogProcessed",
        "backlogExpired",
        "enqueued",
        "dequeued",
        "enqueueTime",
        "dequeueTime",
        "enqueueCpu",
        "dequeueCpu",
        "hintsLeft",
        "hintsHeard",
    };

    /// <param name="merged">The result with the counts of all generators.</param>
    /// <param name="parts">The step as measured by each generator; an empty list changes nothing.</param>
    public static ScenarioResult AddTo(ScenarioResult merged, IReadOnlyList<ScenarioResult> parts)
    {
        if (parts.Count == 0)
            return merged;

        var seen = parts.MaxBy(part => part.WatchedMs)!;
        var (engine, own) = (Engine(parts), OwnOf(seen.Backend));
        var database = seen.DatabaseMetrics.ToDictionary(
            metric => metric.Key,
            metric => IsOwn(metric.Key) ? Sum(parts, part => part.DatabaseMetrics.GetValueOrDefault(metric.Key)) : metric.Value
        );
        return merged with
        {
            Drain = seen.Drain,
            DatabaseMetrics = database,
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
                        cost => cost.Value with { Value = Total(cost) / merged.Counts.Completed }
                    ),
        };

        // Those of a queue or an index have its name behind a point.
        bool IsOwn(string metric) => own.Contains(metric.Split('.')[0]);

        double? Total(KeyValuePair<string, MetricValue> cost) =>
            engine.TryGetValue(cost.Key, out var summed) ? summed.Value
            : IsOwn(cost.Key) && database.TryGetValue(cost.Key, out summed) ? summed.Value
            : cost.Value.Value * seen.Counts.Completed;
    }

    private static Dictionary<string, MetricValue> Engine(IReadOnlyList<ScenarioResult> parts)
    {
        var engine = new Dictionary<string, MetricValue>();
        foreach (var name in OfEngine)
        {
            if (parts.All(part => part.EngineMetrics.ContainsKey(name)))
                engine[name] = Sum(parts, part => part.EngineMetrics[name]);
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

    private static IReadOnlySet<string> OwnOf(string backend) =>
        backend.StartsWith("mongodb", Ordinal) ? OfMongoDb
        : backend.StartsWith("oracle", Ordinal) ? OfOracle
        : OfPostgreSql;

    /// <summary>The sum over all generators; missing when one of them does not have the figure.</summary>
    private static MetricValue Sum(IReadOnlyList<ScenarioResult> parts, Func<ScenarioResult, MetricValue?> figure) =>
        parts.FirstOrDefault(part => figure(part)?.Value is null) is { } without
            ? figure(without) ?? MetricValue.Missing("A generator did not report it.")
            : figure(parts[0])! with { Value = parts.Sum(part => figure(part)!.Value) };
}

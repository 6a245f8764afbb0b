namespace Serdica.Perf.Analysis.Comparison;

/// <summary>The direction in which a metric improves.</summary>
internal enum MetricDirection
{
    LowerIsBetter,

    HigherIsBetter,

    /// <summary>Shown and never judged as better or worse: a change of it explains another change.</summary>
    Neutral,

    /// <summary>
    /// A count of events that must not happen. It may not rise from 0, whatever the statistics say; otherwise lower is better.
    /// </summary>
    StaysZero,
}

/// <summary>The one place where each compared metric declares its direction.</summary>
internal static class MetricDirections
{
    /// <summary>Costs of an operation, by the names that the backends use.</summary>
    private static readonly Dictionary<string, MetricDirection> Costs = new (MetricDirection Direction, string[] Names)[]
    {
        (
            MetricDirection.LowerIsBetter,
            [
                MetricNames.EngineCpu,
                MetricNames.Allocated,
                MetricNames.DatabaseCpu,
                MetricNames.RoundTrips,
                MetricNames.Commits,
                MetricNames.WritingCommits,
                MetricNames.WalBytes,
                MetricNames.WalSyncs,
                MetricNames.WalSyncTime,
                "walRecords",
                "walBuffersFull",
                MetricNames.LogicalReads,
                MetricNames.RowsTouched,
                "rowsInserted",
                "rowsUpdated",
                "rowsDeleted",
                MetricNames.DatabaseDiskReads,
                MetricNames.DatabaseDiskWrites,
                MetricNames.ContainerBlockReads,
                MetricNames.ContainerBlockWrites,
                "blocksRead",
                "blocksWritten",
                "clientBlocksWritten",
                "documentsScanned",
                "keysScanned",
                "networkBytesIn",
                "networkBytesOut",
                "opInserts",
                "opUpdates",
                "opDeletes",
                "opQueries",
                "opCommands",
                "flowControlTime",
                MetricNames.DatabaseTime,
                "executions",
                "parses",
                "hardParses",
                "redoWrites",
                "redoSyncs",
                "redoSyncTime",
                "enqueueWaits",
            ]
        ),
        // Internal housekeeping of the server: excess shows up in times, bytes and processor time. Idle sessions cost nothing.
        (
            MetricDirection.Neutral,
            [
                "rowsHotUpdated",
                "unreadBatches",
                "sessionIdleTime",
                MetricNames.Vacuums,
                MetricNames.Autovacuums,
                MetricNames.Checkpoints,
                "checkpointBuffers",
                "walFullPageImages",
                "clientBlocksExtended",
                "clientBlocksEvicted",
                "replicatedOperations",
                "leafSplits",
            ]
        ),
        (
            MetricDirection.StaysZero,
            [
                "deadlocks",
                "vacuumsWithoutEffect",
                "refusedBatches",
                MetricNames.Rollbacks,
                "tempBytes",
                "tempFiles",
                "writeConflicts",
                "writeRetries",
                "transactionsAborted",
            ]
        ),
    }.SelectMany(group => group.Names.Select(name => KeyValuePair.Create(name, group.Direction))).ToDictionary(StringComparer.Ordinal);

    /// <summary>Names of metrics that are neither a cost nor belong to a phase.</summary>
    private static readonly string[] Plain =
    [
        ComparedMetric.Throughput,
        "p50",
        "p95",
        "p99",
        "max",
        "drain",
        ComparedMetric.Errors,
        ComparedMetric.DeadLetters,
    ];

    /// <summary>Names that a gate may use; one phase stands for all of them.</summary>
    internal static IEnumerable<string> Names =>
        [.. Plain, "start.p50", "start.p99", .. Costs.Keys.Select(name => ComparedMetric.CostPrefix + name)];

    /// <param name="metric">The name, for instance <c>p99</c> or <c>cost.walBytes</c>.</param>
    /// <returns>Neutral for an undeclared cost, because its better direction is unknown.</returns>
    public static MetricDirection Of(string metric)
    {
        return metric switch
        {
            ComparedMetric.Throughput => MetricDirection.HigherIsBetter,
            ComparedMetric.Errors or ComparedMetric.DeadLetters => MetricDirection.StaysZero,
            _ when !metric.StartsWith(ComparedMetric.CostPrefix, Ordinal) => MetricDirection.LowerIsBetter,
            _ => Costs.GetValueOrDefault(metric[ComparedMetric.CostPrefix.Length..], MetricDirection.Neutral),
        };
    }

    /// <summary>Whether more is better, so that it can get worse only until it is 0.</summary>
    internal static bool IsRate(string metric) => Of(metric) == MetricDirection.HigherIsBetter;

    /// <summary>Whether a metric of this name is compared. A percentile of any phase is, because scenarios name their own phases.</summary>
    internal static bool IsKnown(string metric) =>
        Plain.Contains(metric)
        || (
            metric.StartsWith(ComparedMetric.CostPrefix, Ordinal)
                ? Costs.ContainsKey(metric[ComparedMetric.CostPrefix.Length..])
                : metric.EndsWith(".p50", Ordinal) || metric.EndsWith(".p99", Ordinal)
        );
}

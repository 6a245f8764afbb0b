namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What <c>serverStatus</c> tells, by the names that the other backends use where the meaning is the same.</summary>
internal static class MongoDbFigures
{
    /// <summary>
    /// Each figure is the sum of the numbers at its paths; a part that is missing makes it missing. Behind a bar stands
    /// what another version calls the same: tickets and checkpoints have moved between 7.0 and 8.0. The names under
    /// <c>wiredTiger</c> are those of WiredTiger's <c>dist/stat_data.py</c> in both versions.
    /// </summary>
    private static readonly Figure[] All =
    [
        new("commits", "wiredTiger/transaction/transactions committed"),
        new("rollbacks", "wiredTiger/transaction/transactions rolled back"),
        new("writingCommits", "transactions/totalCommitted"),
        new("walBytes", "wiredTiger/log/log bytes written", "bytes"),
        new("walSyncs", "wiredTiger/log/log sync operations"),
        new("walSyncTime", "wiredTiger/log/log sync time duration (usecs)", "ms", Scale: 0.001),
        new("walRecords", "wiredTiger/log/log write operations"),
        new("logicalReads", "wiredTiger/cache/pages requested from the cache"),
        new("blocksRead", "wiredTiger/cache/pages read into cache"),
        new("blocksWritten", "wiredTiger/cache/pages written from cache"),
        new("cacheBytes", "wiredTiger/cache/bytes currently in the cache", "bytes", IsGauge: true),
        new("dirtyBytes", "wiredTiger/cache/tracked dirty bytes in the cache", "bytes", IsGauge: true),
        new("checkpoints", "wiredTiger/checkpoint/total succeed number of checkpoints|wiredTiger/transaction/transaction checkpoints"),
        new("rowsInserted", "metrics/document/inserted"),
        new("rowsUpdated", "metrics/document/updated"),
        new("rowsDeleted", "metrics/document/deleted"),
        new("rowsTouched", "metrics/document/inserted+metrics/document/updated+metrics/document/deleted"),
        new("documentsScanned", "metrics/queryExecutor/scannedObjects"),
        new("keysScanned", "metrics/queryExecutor/scanned"),
        new("entriesSkipped", "wiredTiger/cursor/Total number of entries skipped by cursor next calls"),
        new("writeConflicts", "metrics/operation/writeConflicts"),
        new("transactionsAborted", "transactions/totalAborted"),
        new("opInserts", "opcounters/insert"),
        new("opUpdates", "opcounters/update"),
        new("opDeletes", "opcounters/delete"),
        new("opQueries", "opcounters/query", Own: answers => answers.Finds),
        new("opCommands", "opcounters/command", Own: answers => answers.Others),
        new("roundTrips", "network/numRequests", Own: answers => answers.Finds + answers.Others),
        new("networkBytesIn", "network/bytesIn", "bytes"),
        new("networkBytesOut", "network/bytesOut", "bytes"),
        new("connections", "connections/current", IsGauge: true),
        new("sessionsWaitingForLocks", "globalLock/currentQueue/total", IsGauge: true),
        new("flowControlTime", "flowControl/timeAcquiringMicros", "ms", Scale: 0.001),
        new("writeTicketsOut", "queues/execution/write/out|wiredTiger/concurrentTransactions/write/out", IsGauge: true),
        new("readTicketsOut", "queues/execution/read/out|wiredTiger/concurrentTransactions/read/out", IsGauge: true),
        new("replicatedOperations", "metrics/repl/apply/ops"),
        // Only some systems report it, including Linux.
        new("databaseCpu", "extra_info/user_time_us+extra_info/system_time_us", "ms", Scale: 0.001),
    ];

    /// <param name="answers">What was asked for the statistics themselves, which is taken out.</param>
    public static Dictionary<string, Statistic> Read(BsonDocument status, MongoDbAnswers answers)
    {
        var numbers = new Dictionary<string, double>(StringComparer.Ordinal);
        Gather(status, "", numbers);
        return All.ToDictionary(static figure => figure.Name, figure => figure.Of(numbers, answers));
    }

    /// <summary>All figures, each without a value for the same reason.</summary>
    public static Dictionary<string, Statistic> Without(string reason) =>
        All.ToDictionary(static figure => figure.Name, figure => figure.Without(reason));

    private static void Gather(BsonDocument document, string prefix, Dictionary<string, double> numbers)
    {
        foreach (var element in document)
        {
            if (element.Value is BsonDocument inner)
                Gather(inner, $"{prefix}{element.Name}/", numbers);
            else if (element.Value.IsNumeric)
                numbers[prefix + element.Name] = element.Value.ToDouble();
        }
    }

    /// <param name="Paths">Alternatives, each a sum.</param>
    /// <param name="Scale">From the server's unit to ours.</param>
    /// <param name="Own">What the statistics have added to it.</param>
    private sealed record Figure(
        string Name,
        string Paths,
        string? Unit = null,
        bool IsGauge = false,
        double Scale = 1,
        Func<MongoDbAnswers, long>? Own = null
    )
    {
        public Statistic Of(Dictionary<string, double> numbers, MongoDbAnswers answers)
        {
            var alternatives = Paths.Split('|');
            var sum = alternatives.Select(alternative => Sum(alternative, numbers)).FirstOrDefault(static sum => sum is not null);
            return sum is null
                ? Without($"serverStatus has no '{alternatives[0]}'.")
                : new(sum * Scale - (Own?.Invoke(answers) ?? 0), Unit, IsGauge: IsGauge);
        }

        public Statistic Without(string reason) => new(null, Unit, reason, IsGauge: IsGauge);

        private static double? Sum(string alternative, Dictionary<string, double> numbers) =>
            alternative
                .Split('+')
                .Aggregate((double?)0, (sum, path) => sum + (numbers.TryGetValue(path, out var number) ? number : null));
    }
}

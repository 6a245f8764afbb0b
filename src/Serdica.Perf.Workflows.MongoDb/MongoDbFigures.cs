using System.Text;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What <c>serverStatus</c> tells, by the names that the other backends use where the meaning is the same.</summary>
internal static class MongoDbFigures
{
    /// <summary>Each figure is the sum of the numbers at its paths; a part that is missing makes it missing.</summary>
    private static readonly Figure[] All =
    [
        new("commits", "wiredTiger/transaction/transactions committed"),
        new("rollbacks", "wiredTiger/transaction/transactions rolled back"),
        new("writingCommits", "transactions/totalCommitted"),
        new("walBytes", "wiredTiger/log/log bytes written", "bytes"),
        new("walSyncs", "wiredTiger/log/log sync operations"),
        new("walSyncTime", "wiredTiger/log/log sync time duration (usecs)", "us"),
        new("walRecords", "wiredTiger/log/log write operations"),
        new("logicalReads", "wiredTiger/cache/pages requested from the cache"),
        new("blocksRead", "wiredTiger/cache/pages read into cache"),
        new("blocksWritten", "wiredTiger/cache/pages written from cache"),
        new("cacheBytes", "wiredTiger/cache/bytes currently in the cache", "bytes", IsGauge: true),
        new("dirtyBytes", "wiredTiger/cache/tracked dirty bytes in the cache", "bytes", IsGauge: true),
        new("checkpoints", "wiredTiger/transaction/transaction checkpoints"),
        new("rowsInserted", "metrics/document/inserted"),
        new("rowsUpdated", "metrics/document/updated"),
        new("rowsDeleted", "metrics/document/deleted"),
        new("rowsTouched", "metrics/document/inserted+metrics/document/updated+metrics/document/deleted"),
        new("documentsScanned", "metrics/queryExecutor/scannedObjects"),
        new("keysScanned", "metrics/queryExecutor/scanned"),
        new("writeConflicts", "metrics/operation/writeConflicts"),
        new("transactionsAborted", "transactions/totalAborted"),
        new("opInserts", "opcounters/insert"),
        new("opUpdates", "opcounters/update"),
        new("opDeletes", "opcounters/delete"),
        new("opQueries", "opcounters/query"),
        new("opCommands", "opcounters/command"),
        new("roundTrips", "network/numRequests"),
        new("networkBytesIn", "network/bytesIn", "bytes"),
        new("networkBytesOut", "network/bytesOut", "bytes"),
        new("connections", "connections/current", IsGauge: true),
        new("sessionsWaitingForLocks", "globalLock/currentQueue/total", IsGauge: true),
        new("flowControlTime", "flowControl/timeAcquiringMicros", "us"),
        new("writeTicketsOut", "queues/execution/write/out", IsGauge: true),
        new("readTicketsOut", "queues/execution/read/out", IsGauge: true),
        new("replicatedOperations", "metrics/repl/apply/ops"),
    ];

    private static readonly (string Name, string Reason)[] Lacking =
    [
        ("deadRows", "WiredTiger keeps old versions elsewhere and does not count them by collection."),
        ("databaseCpu", "serverStatus does not tell the processor time of the server."),
    ];

    public static Dictionary<string, Statistic> Read(DocumentReply status)
    {
        var numbers = new Dictionary<string, double>(StringComparer.Ordinal);
        Gather(new BsonReader(status.Bytes.Span), "", numbers);
        var figures = All.ToDictionary(static figure => figure.Name, figure => figure.Of(numbers));
        foreach (var (name, reason) in Lacking)
            figures[name] = new(null, Missing: reason);
        return figures;
    }

    private static void Gather(BsonReader document, string prefix, Dictionary<string, double> numbers)
    {
        while (document.Next())
        {
            var path = prefix + Encoding.UTF8.GetString(document.Name);
            if (document.Type == BsonType.Document)
                Gather(new BsonReader(document.Document()), path + "/", numbers);
            else if (document.Type is BsonType.Int32 or BsonType.Int64 or BsonType.Double)
                numbers[path] = document.Number();
        }
    }

    private sealed record Figure(string Name, string Paths, string? Unit = null, bool IsGauge = false)
    {
        public Statistic Of(Dictionary<string, double> numbers)
        {
            double sum = 0;
            foreach (var path in Paths.Split('+'))
            {
                if (!numbers.TryGetValue(path, out var number))
                    return new(null, Unit, $"serverStatus has no '{path}'.", IsGauge: IsGauge);
                sum += number;
            }

            return new(sum, Unit, IsGauge: IsGauge);
        }
    }
}

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The log that a replica set replicates by: its size, and how far back it reaches.</summary>
internal static class MongoDbOplog
{
    public const string Database = "local";

    /// <param name="oldest">The answer with its first entry.</param>
    /// <param name="newest">The answer with its last entry.</param>
    public static void AddTo(Dictionary<string, Statistic> values, MongoDbAnswer size, MongoDbAnswer oldest, MongoDbAnswer newest)
    {
        values["oplogBytes"] = Size(size, "size");
        values["oplogMaxBytes"] = Size(size, "maxSize");
        values["oplogWindow"] = (Time(oldest), Time(newest)) switch
        {
            ({ } from, { } to) => new((to - from) * 1000, "ms", IsGauge: true),
            _ => new(null, "ms", oldest.Missing ?? newest.Missing ?? "The oplog is empty, or not kept here.", IsGauge: true),
        };
    }

    private static Statistic Size(MongoDbAnswer answer, string field)
    {
        var bytes = answer.Documents.Select(document => document["storageStats"].AsBsonDocument.GetValue(field, 0).ToDouble()).ToList();
        return bytes.Count > 0
            ? new(bytes.Sum(), "bytes", IsGauge: true)
            : new(null, "bytes", answer.Missing ?? "The server does not report it.", IsGauge: true);
    }

    /// <summary>Seconds of the entry's timestamp.</summary>
    private static double? Time(MongoDbAnswer answer) =>
        answer.Documents.FirstOrDefault() is { } entry ? entry["ts"].AsBsonTimestamp.Timestamp : null;
}

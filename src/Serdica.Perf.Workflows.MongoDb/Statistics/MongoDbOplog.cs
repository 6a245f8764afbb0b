namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The log that a replica set replicates by: its size, and how far back it reaches.</summary>
internal static class MongoDbOplog
{
    public const string Database = "local";

    /// <param name="size">The answer about its size.</param>
    /// <param name="oldest">The answer with its first entry.</param>
    /// <param name="newest">The answer with its last entry.</param>
    /// <param name="values">Gets the figures.</param>
    public static void AddTo(
        Dictionary<string, Statistic> values,
        (DocumentReply? Reply, string? Missing) size,
        (DocumentReply? Reply, string? Missing) oldest,
        (DocumentReply? Reply, string? Missing) newest)
    {
        values["oplogBytes"] = Size(size, "size"u8);
        values["oplogMaxBytes"] = Size(size, "maxSize"u8);
        values["oplogWindow"] = (Time(oldest), Time(newest)) switch
        {
            ({ } from, { } to) => new((to - from) * 1000, "ms", IsGauge: true),
            _ => new(null, "ms", oldest.Missing ?? newest.Missing ?? "The oplog is empty, or not kept here.", IsGauge: true),
        };
    }

    private static Statistic Size((DocumentReply? Reply, string? Missing) answer, ReadOnlySpan<byte> field)
    {
        if (answer.Reply is not { } reply)
            return new(null, "bytes", answer.Missing, IsGauge: true);
        double? bytes = null;
        var documents = reply.Documents();
        while (documents.Next())
        {
            var document = new BsonReader(documents.Document());
            if (document.Find("storageStats"u8) && new BsonReader(document.Document()) is var storage && storage.Find(field))
                bytes = (bytes ?? 0) + storage.Number();
        }

        return new(bytes, "bytes", bytes is null ? "The server does not report it." : null, IsGauge: true);
    }

    /// <summary>Seconds of the entry's timestamp: its upper half; the lower counts within the second.</summary>
    private static double? Time((DocumentReply? Reply, string? Missing) answer)
    {
        if (answer.Reply is not { } reply)
            return null;
        var documents = reply.Documents();
        if (!documents.Next())
            return null;
        var entry = new BsonReader(documents.Document());
        return entry.Find("ts"u8) && entry.Type == BsonType.Timestamp ? (double)((ulong)entry.Timestamp() >> 32) : null;
    }
}

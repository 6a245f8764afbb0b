namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>How far a replica set is behind, and its log: how large it is, and how far back it reaches.</summary>
internal static class MongoDbReplication
{
    /// <summary>
    /// How far a majority is behind the member that answers <c>replSetGetStatus</c>, by the clock of the primary that wrote: what
    /// <c>serverStatus</c> tells of it has whole seconds only.
    /// </summary>
    public static Statistic LagOf(MongoDbAnswer answer) =>
        (answer.Reply?.Find("optimes", "lastAppliedWallTime"), answer.Reply?.Find("optimes", "lastCommittedWallTime")) switch
        {
            ({ } applied, { } committed) => Gauge((applied.ToUniversalTime() - committed.ToUniversalTime()).TotalMilliseconds, "ms", null),
            _ => Gauge(null, "ms", answer.Missing ?? "replSetGetStatus has no wall times."),
        };

    public static void AddOplogTo(Dictionary<string, Statistic> values, MongoDbAnswer size, MongoDbAnswer oldest, MongoDbAnswer newest)
    {
        values["oplogBytes"] = Size(size, "size");
        values["oplogMaxBytes"] = Size(size, "maxSize");
        values["oplogWindow"] = Gauge(
            (Time(newest) - Time(oldest)) * 1000,
            "ms",
            oldest.Missing ?? newest.Missing ?? "The oplog is empty, or not kept here."
        );
    }

    public static Statistic Gauge(double? value, string? unit, string? missing) =>
        new(value, unit, value is null ? missing : null, IsGauge: true);

    private static Statistic Size(MongoDbAnswer answer, string field)
    {
        var bytes = answer.Documents.Select(document => document["storageStats"].AsBsonDocument.GetValue(field, 0).ToDouble()).ToList();
        return Gauge(bytes.Count > 0 ? bytes.Sum() : null, "bytes", answer.Missing ?? "The server does not report it.");
    }

    private static double? Time(MongoDbAnswer answer) => answer.Documents.FirstOrDefault()?["ts"].AsBsonTimestamp.Timestamp;
}

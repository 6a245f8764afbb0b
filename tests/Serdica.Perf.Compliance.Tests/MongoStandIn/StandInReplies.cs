namespace Serdica.Perf.Compliance;

/// <summary>What a router answers of its own.</summary>
internal static class StandInReplies
{
    public const int WireVersionOf70 = 21;

    /// <summary>From this one on there are writes to several collections in one command.</summary>
    public const int WireVersionOf80 = 25;

    public static BsonDocument Ok() => new("ok", 1.0);

    /// <summary>A router of a sharded cluster: no names of hosts that would have to be reached, and transactions.</summary>
    public static BsonDocument Hello(int wireVersion) =>
        new()
        {
            { "helloOk", true },
            { "isWritablePrimary", true },
            { "ismaster", true },
            { "msg", "isdbgrid" },
            { "maxBsonObjectSize", 16_777_216 },
            { "maxMessageSizeBytes", 48_000_000 },
            { "maxWriteBatchSize", 25_000 },
            { "localTime", TimeProvider.System.GetUtcNow().UtcDateTime },
            { "logicalSessionTimeoutMinutes", 30 },
            { "minWireVersion", 0 },
            { "maxWireVersion", wireVersion },
            { "readOnly", false },
            { "ok", 1.0 },
        };

    /// <summary>By a name that no report can take for MongoDB's.</summary>
    public static BsonDocument Status() =>
        new()
        {
            { "version", "0.0.0" },
            { "process", "stand-in for MongoDB on DocumentDB" },
            { "ok", 1.0 },
        };

    public static BsonDocument Error(DocumentCommandException error, bool inTransaction, string? label = null)
    {
        var reply = new BsonDocument
        {
            { "ok", 0.0 },
            { "errmsg", error.Message },
            { "code", error.Code },
            { "codeName", $"Error{error.Code}" },
        };
        if (inTransaction && error.Code is DocumentErrors.WriteConflict or DocumentErrors.NoSuchTransaction)
            label = "TransientTransactionError";
        if (label is not null)
            reply.Add("errorLabels", new BsonArray { label });
        return reply;
    }

    /// <summary>A write whose only document was refused.</summary>
    public static BsonDocument Refused(int code) =>
        new()
        {
            { "n", 0 },
            {
                "writeErrors",
                new BsonArray
                {
                    new BsonDocument
                    {
                        { "index", 0 },
                        { "code", code },
                        { "errmsg", "as the test wishes" },
                    },
                }
            },
            { "ok", 1.0 },
        };

    /// <summary>The command was run, and too few servers can have it.</summary>
    public static BsonDocument UnsatisfiedWriteConcern(int code = 100) =>
        new()
        {
            {
                "writeConcernError",
                new BsonDocument
                {
                    { "code", code },
                    { "codeName", "UnsatisfiableWriteConcern" },
                    { "errmsg", "Not enough data-bearing nodes" },
                }
            },
            { "ok", 1.0 },
        };
}

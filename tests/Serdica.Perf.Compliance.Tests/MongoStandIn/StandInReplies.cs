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
        BsonDocument
            .Parse(
                """
                { helloOk: true, isWritablePrimary: true, ismaster: true, msg: "isdbgrid", maxBsonObjectSize: 16777216,
                  maxMessageSizeBytes: 48000000, maxWriteBatchSize: 25000, logicalSessionTimeoutMinutes: 30, minWireVersion: 0,
                  readOnly: false, ok: 1.0 }
                """
            )
            .Add("localTime", TimeProvider.System.GetUtcNow().UtcDateTime)
            .Add("maxWireVersion", wireVersion);

    /// <summary>By a name that no report can take for MongoDB's.</summary>
    public static BsonDocument Status() =>
        BsonDocument.Parse("""{ version: "0.0.0", process: "stand-in for MongoDB on DocumentDB", ok: 1.0 }""");

    public static BsonDocument Error(DocumentCommandException error, bool inTransaction, string? label = null)
    {
        if (inTransaction && error.Code is DocumentErrors.WriteConflict or DocumentErrors.NoSuchTransaction)
            label = "TransientTransactionError";
        return new()
        {
            { "ok", 0.0 },
            { "errmsg", error.Message },
            { "code", error.Code },
            { "codeName", $"Error{error.Code}" },
            { "errorLabels", () => new BsonArray { label! }, label is not null },
        };
    }

    /// <summary>A write whose only document was refused.</summary>
    public static BsonDocument Refused(int code) =>
        BsonDocument.Parse($$"""{ n: 0, writeErrors: [{ index: 0, code: {{code}}, errmsg: "as the test wishes" }], ok: 1.0 }""");

    /// <summary>The command was run, and too few servers can have it.</summary>
    public static BsonDocument UnsatisfiedWriteConcern(int code = 100) =>
        BsonDocument.Parse(
            $$"""
            { writeConcernError: { code: {{code}}, codeName: "UnsatisfiableWriteConcern", errmsg: "Not enough data-bearing nodes" },
              ok: 1.0 }
            """
        );
}

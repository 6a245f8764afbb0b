namespace Serdica.Perf.Compliance;

/// <summary>What a command says besides what it is about. Breaks of MongoDB's rules are refused as MongoDB does.</summary>
internal sealed class CommandHead
{
    private const int InvalidOptions = 72;

    private static readonly CultureInfo Invariant = CultureInfo.InvariantCulture;

    public CommandHead(BsonDocument command)
    {
        var verb = command.GetElement(0);
        Verb = verb.Name;
        Collection = (verb.Value as BsonString ?? command.GetValue("collection", "") as BsonString)?.Value ?? "";
        Number = verb.Value is BsonInt64 number ? number.Value : 0;
        Database = command.GetValue("$db", "admin").AsString;
        Session = command.TryGetValue("lsid", out var session) ? SessionId(session) : null;
        Transaction = command.GetValue("txnNumber", 0).ToInt64();
        IsInTransaction = command.Contains("autocommit");
        StartsTransaction = command.Contains("startTransaction");
        MaxTime = FromMilliseconds(command.GetValue("maxTimeMS", 0).ToInt64());
        EndedSessions = Verb == "endSessions" ? [.. verb.Value.AsBsonArray.Select(SessionId)] : [];
        if (command.TryGetValue("readConcern", out var concern))
        {
            ReadConcern = concern.AsBsonDocument.GetValue("level", BsonNull.Value) is BsonString level ? level.Value : null;
            SnapshotTime = concern.AsBsonDocument.GetValue("atClusterTime", BsonNull.Value) as BsonTimestamp;
        }

        WriteConcern = command.GetValue("writeConcern", BsonNull.Value) as BsonDocument;
        if (
            command.GetValue("pipeline", BsonNull.Value) is BsonArray { Count: > 0 } stages
            && stages[0].AsBsonDocument.GetValue("$changeStream", BsonNull.Value) is BsonDocument stream
        )
            ChangesAfter = stream.TryGetValue("resumeAfter", out var token) ? long.Parse(token["_data"].AsString, Invariant) : 0;
        CheckTransaction(command);
    }

    public string Verb { get; }

    public string Collection { get; }

    public string Database { get; }

    /// <summary>The number of a cursor.</summary>
    public long Number { get; }

    public string? Session { get; }

    public long Transaction { get; }

    /// <summary>The sessions that <c>endSessions</c> ends.</summary>
    public IReadOnlyList<string> EndedSessions { get; }

    public bool IsInTransaction { get; }

    public bool StartsTransaction { get; }

    public TimeSpan MaxTime { get; }

    /// <summary>Null when the command leaves it to the server.</summary>
    public string? ReadConcern { get; }

    /// <summary>Null when the command leaves it to the server.</summary>
    public BsonDocument? WriteConcern { get; }

    /// <summary>The snapshot that a session has read before.</summary>
    public BsonTimestamp? SnapshotTime { get; }

    /// <summary>Reads a snapshot without a transaction.</summary>
    public bool ReadsSnapshot => ReadConcern == "snapshot" && !IsInTransaction;

    /// <summary>The position that a change stream goes on from; null when the command opens none.</summary>
    public long? ChangesAfter { get; }

    private void CheckTransaction(BsonDocument command)
    {
        if (!IsInTransaction || Verb is "commitTransaction" or "abortTransaction")
            return;
        if (command.Contains("writeConcern"))
            throw new DocumentCommandException(
                InvalidOptions,
                "writeConcern is not allowed within a multi-statement transaction.",
                isTransient: false
            );
        if (command.Contains("readConcern") && !StartsTransaction)
            throw new DocumentCommandException(
                InvalidOptions,
                "Only the first command in a transaction may specify a readConcern.",
                isTransient: false
            );
    }

    private static string SessionId(BsonValue session) => Convert.ToHexString(session["id"].AsBsonBinaryData.Bytes);
}

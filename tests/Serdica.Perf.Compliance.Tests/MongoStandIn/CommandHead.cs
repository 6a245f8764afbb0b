namespace Serdica.Perf.Compliance;

/// <summary>What a command says besides what it is about.</summary>
internal sealed class CommandHead(BsonDocument command)
{
    public string Verb { get; } = command.GetElement(0).Name;

    public string Collection { get; } = (command[0] as BsonString)?.Value ?? command.FindText("collection") ?? "";

    public string Database { get; } = command.FindText("$db") ?? "admin";

    /// <summary>The number of a cursor.</summary>
    public long Number { get; } = (command[0] as BsonInt64)?.Value ?? 0;

    public string? Session { get; } = command.Find("lsid") is { } session ? SessionId(session) : null;

    public long Transaction { get; } = command.GetValue("txnNumber", 0).ToInt64();

    /// <summary>The sessions that <c>endSessions</c> ends.</summary>
    public IReadOnlyList<string> EndedSessions { get; } = [.. (command.Find("endSessions") as BsonArray ?? []).Select(SessionId)];

    public bool IsInTransaction { get; } = command.Contains("autocommit");

    public bool StartsTransaction { get; } = command.Contains("startTransaction");

    public TimeSpan MaxTime { get; } = FromMilliseconds(command.GetValue("maxTimeMS", 0).ToInt64());

    /// <summary>Null when the command leaves it to the server.</summary>
    public string? ReadConcern { get; } = command.FindText("readConcern", "level");

    /// <summary>Null when the command leaves it to the server.</summary>
    public BsonDocument? WriteConcern { get; } = command.Find("writeConcern") as BsonDocument;

    /// <summary>The snapshot that a session has read before.</summary>
    public BsonTimestamp? SnapshotTime { get; } = command.Find("readConcern", "atClusterTime") as BsonTimestamp;

    /// <summary>Reads a snapshot without a transaction.</summary>
    public bool ReadsSnapshot => ReadConcern == "snapshot" && !IsInTransaction;

    /// <summary>The position that a change stream goes on from; null when the command opens none.</summary>
    public long? ChangesAfter { get; } =
        command.Find("pipeline") is BsonArray { Count: > 0 } stages && stages[0].Find("$changeStream") is { } stream
            ? long.Parse(stream.FindText("resumeAfter", "_data") ?? "0", CultureInfo.InvariantCulture)
            : null;

    /// <summary>Refuses breaks of MongoDB's rules as MongoDB does.</summary>
    public static void Check(BsonDocument command)
    {
        if (!command.Contains("autocommit") || command.GetElement(0).Name is "commitTransaction" or "abortTransaction")
            return;
        if (command.Contains("writeConcern"))
            throw InvalidOptions("writeConcern is not allowed within a multi-statement transaction.");
        if (command.Contains("readConcern") && !command.Contains("startTransaction"))
            throw InvalidOptions("Only the first command in a transaction may specify a readConcern.");
    }

    private static DocumentCommandException InvalidOptions(string text) => new(code: 72, text, isTransient: false);

    private static string SessionId(BsonValue session) => Convert.ToHexString(session["id"].AsBsonBinaryData.Bytes);
}

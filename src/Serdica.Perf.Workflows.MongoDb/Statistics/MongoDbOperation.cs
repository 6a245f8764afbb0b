namespace Serdica.Perf.Workflows.MongoDb;

internal static class MongoDbOperation
{
    /// <returns>Class and name of the wait.</returns>
    /// <remarks>
    /// What waits for journal and majority is a <c>commitTransaction</c> that does nothing else; the server does not say
    /// for which of the two. Tickets are reported from 8.0 on, latches until 7.0.
    /// </remarks>
    public static (string Class, string Name) Read(BsonDocument operation)
    {
        var verb = operation.FindText("verb") ?? "";
        return (operation.FindText("waitingForLatch", "captureName"), operation.FindText("currentQueue", "name")) switch
        {
            _ when IsTrue(operation, "waitingForLock") => ("Lock", FinestLock(operation) ?? "unnamed"),
            _ when IsTrue(operation, "waitingForFlowControl") => ("Flow control", "flow control"),
            ({ } latch, _) => ("Latch", $"latch {latch}"),
            (_, { } queue) => ("Queue", $"{queue} ticket"),
            _ when operation.Find("transaction", "timePreparedMicros") is not null => ("Commit", "prepared transaction"),
            _ when IsTrue(operation, "prepareReadConflicts") => ("Commit", "conflict with a prepared transaction"),
            _ when operation.FindText("type") == "idleSession" => ("Client", "open transaction"),
            _ when verb == "commitTransaction" => ("Commit", verb),
            _ => ("CPU", verb.Length > 0 ? verb : "running"),
        };
    }

    /// <summary>The server lists locks from the whole down to the collection, each with its mode; what is waited for is the last.</summary>
    private static string? FinestLock(BsonDocument operation) =>
        operation.Find("locks") is BsonDocument { ElementCount: > 0 } locks
            ? $"{locks.Last().Name} {locks.Last().Value.AsString}"
            : null;

    private static bool IsTrue(BsonDocument operation, string name) =>
        operation.Find(name) is { } value && (value.IsBoolean ? value.AsBoolean : value.IsNumeric && value.ToDouble() > 0);
}

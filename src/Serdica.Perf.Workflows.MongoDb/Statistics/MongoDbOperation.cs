namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What one operation of <c>$currentOp</c> did when it was looked at.</summary>
internal static class MongoDbOperation
{
    /// <param name="operation">As <see cref="StatisticsCommands.CurrentOperations"/> has it.</param>
    /// <returns>Class and name of the wait.</returns>
    /// <remarks>
    /// What waits for journal and majority is a <c>commitTransaction</c> that does nothing else; the server does not say
    /// for which of the two. Tickets are reported from 8.0 on, latches until 7.0.
    /// </remarks>
    public static (string Class, string Name) Read(BsonDocument operation)
    {
        var verb = Text(operation, "verb") ?? "";
        return (Text(operation, "waitingForLatch", "captureName"), Text(operation, "currentQueue", "name")) switch
        {
            _ when IsTrue(operation, "waitingForLock") => ("Lock", FinestLock(operation) ?? "unnamed"),
            _ when IsTrue(operation, "waitingForFlowControl") => ("Flow control", "flow control"),
            ({ } latch, _) => ("Latch", $"latch {latch}"),
            (_, { } queue) => ("Queue", $"{queue} ticket"),
            _ when Inner(operation, "transaction", "timePreparedMicros") is not null => ("Commit", "prepared transaction"),
            _ when IsTrue(operation, "prepareReadConflicts") => ("Commit", "conflict with a prepared transaction"),
            _ when Text(operation, "type") == "idleSession" => ("Client", "open transaction"),
            _ when verb == "commitTransaction" => ("Commit", verb),
            _ => ("CPU", verb.Length > 0 ? verb : "running"),
        };
    }

    /// <summary>The server lists locks from the whole down to the collection, each with its mode; what is waited for is the last.</summary>
    private static string? FinestLock(BsonDocument operation) =>
        operation.GetValue("locks", BsonNull.Value) is BsonDocument { ElementCount: > 0 } locks
            ? $"{locks.Last().Name} {locks.Last().Value.AsString}"
            : null;

    private static string? Text(BsonDocument document, params ReadOnlySpan<string> path) =>
        Inner(document, path) is BsonString text ? text.Value : null;

    /// <summary>Null, too, where the server writes null for nothing.</summary>
    private static BsonValue? Inner(BsonValue value, params ReadOnlySpan<string> path)
    {
        foreach (var name in path)
        {
            if (value is not BsonDocument document || !document.TryGetValue(name, out value))
                return null;
        }

        return value.IsBsonNull ? null : value;
    }

    private static bool IsTrue(BsonDocument operation, string name) =>
        operation.GetValue(name, false) is { } value && (value.IsBoolean ? value.AsBoolean : value.IsNumeric && value.ToDouble() > 0);
}

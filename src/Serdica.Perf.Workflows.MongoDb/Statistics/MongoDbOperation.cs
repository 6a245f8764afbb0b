using System.Text;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What one operation of <c>$currentOp</c> did when it was looked at.</summary>
internal static class MongoDbOperation
{
    /// <param name="document">As <see cref="StatisticsCommands.CurrentOperations"/> has it.</param>
    /// <returns>Class and name of the wait.</returns>
    /// <remarks>
    /// What waits for journal and majority is a <c>commitTransaction</c> that does nothing else; the server does not say
    /// for which of the two. Tickets are reported from 8.0 on, latches until 7.0.
    /// </remarks>
    public static (string Class, string Name) Read(ReadOnlySpan<byte> document)
    {
        var (type, verb, locks) = ("", "", (string?)null);
        var (latch, queue) = ((string?)null, (string?)null);
        var (waitsForLock, waitsForFlowControl, metPrepared, isPrepared) = (false, false, false, false);
        var reader = new BsonReader(document);
        while (reader.Next())
        {
            switch (reader.Name)
            {
                case var name when name.SequenceEqual("type"u8): type = Text(reader); break;
                case var name when name.SequenceEqual("verb"u8): verb = Text(reader); break;
                case var name when name.SequenceEqual("waitingForLock"u8): waitsForLock = IsTrue(reader); break;
                case var name when name.SequenceEqual("locks"u8): locks = FinestLock(reader); break;
                case var name when name.SequenceEqual("waitingForFlowControl"u8): waitsForFlowControl = IsTrue(reader); break;
                case var name when name.SequenceEqual("waitingForLatch"u8): latch = Inner(reader, "captureName"u8); break;
                case var name when name.SequenceEqual("currentQueue"u8): queue = Inner(reader, "name"u8); break;
                case var name when name.SequenceEqual("prepareReadConflicts"u8): metPrepared = IsTrue(reader); break;
                case var name when name.SequenceEqual("transaction"u8): isPrepared = Inner(reader, "timePreparedMicros"u8) is not null; break;
            }
        }

        return (waitsForLock, waitsForFlowControl, latch, queue) switch
        {
            (true, _, _, _) => ("Lock", locks ?? "unnamed"),
            (_, true, _, _) => ("Flow control", "flow control"),
            (_, _, not null, _) => ("Latch", $"latch {latch}"),
            (_, _, _, not null) => ("Queue", $"{queue} ticket"),
            _ when isPrepared => ("Commit", "prepared transaction"),
            _ when metPrepared => ("Commit", "conflict with a prepared transaction"),
            _ when type == "idleSession" => ("Client", "open transaction"),
            _ when verb == "commitTransaction" => ("Commit", verb),
            _ => ("CPU", verb.Length > 0 ? verb : "running"),
        };
    }

    /// <summary>The server lists locks from the whole down to the collection, each with its mode; what is waited for is the last.</summary>
    private static string? FinestLock(BsonReader parent)
    {
        if (parent.Type != BsonType.Document)
            return null;
        string? finest = null;
        var locks = new BsonReader(parent.Document());
        while (locks.Next())
            finest = $"{Encoding.UTF8.GetString(locks.Name)} {Text(locks)}";
        return finest;
    }

    /// <summary>Null, too, where the server writes null for nothing.</summary>
    private static string? Inner(BsonReader parent, ReadOnlySpan<byte> name)
    {
        if (parent.Type != BsonType.Document)
            return null;
        var inner = new BsonReader(parent.Document());
        return inner.Find(name) ? Text(inner) : null;
    }

    private static string Text(BsonReader reader) => reader.Type == BsonType.String ? reader.String() : "";

    private static bool IsTrue(BsonReader reader) =>
        reader.Type is BsonType.Boolean or BsonType.Int32 or BsonType.Int64 or BsonType.Double && reader.Number() > 0;
}

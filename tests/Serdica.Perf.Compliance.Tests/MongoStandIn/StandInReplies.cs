using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>What a router answers of its own.</summary>
internal static class StandInReplies
{
    private const int WireVersion = 21;

    public static byte[] Ok() => Write(static _ => { });

    /// <summary>A router of a sharded cluster: no names of hosts that would have to be reached, and transactions.</summary>
    public static byte[] Hello() => Write(static writer =>
    {
        writer.Write("helloOk"u8, true);
        writer.Write("isWritablePrimary"u8, true);
        writer.Write("ismaster"u8, true);
        writer.Write("msg"u8, "isdbgrid"u8);
        writer.Write("maxBsonObjectSize"u8, 16_777_216);
        writer.Write("maxMessageSizeBytes"u8, 48_000_000);
        writer.Write("maxWriteBatchSize"u8, 25_000);
        writer.Write("localTime"u8, TimeProvider.System.GetUtcNow());
        writer.Write("logicalSessionTimeoutMinutes"u8, 30);
        writer.Write("minWireVersion"u8, 0);
        writer.Write("maxWireVersion"u8, WireVersion);
        writer.Write("readOnly"u8, false);
    });

    /// <summary>By a name that no report can take for MongoDB's.</summary>
    public static byte[] Status() => Write(static writer =>
    {
        writer.Write("version"u8, "0.0.0"u8);
        writer.Write("process"u8, "stand-in for MongoDB on DocumentDB"u8);
    });

    public static byte[] Error(DocumentCommandException error, bool inTransaction, string? label = null)
    {
        using var writer = new BsonWriter();
        writer.Write("ok"u8, 0);
        writer.Write("errmsg"u8, error.Message);
        writer.Write("code"u8, error.Code);
        writer.Write("codeName"u8, $"Error{error.Code}");
        if (inTransaction && error.Code is DocumentErrors.WriteConflict or DocumentErrors.NoSuchTransaction)
            label = "TransientTransactionError";
        if (label is not null)
        {
            writer.BeginArray("errorLabels"u8);
            writer.Write(default, label);
            writer.End();
        }

        return writer.Finish().ToArray();
    }

    /// <summary>A write whose only document was refused.</summary>
    public static byte[] Refused(int code) => Write(writer =>
    {
        writer.Write("n"u8, 0);
        writer.BeginArray("writeErrors"u8);
        writer.BeginDocument();
        writer.Write("index"u8, 0);
        writer.Write("code"u8, code);
        writer.Write("errmsg"u8, "as the test wishes"u8);
        writer.End();
        writer.End();
    });

    /// <summary>The command was run, and too few servers can have it.</summary>
    public static byte[] UnsatisfiedWriteConcern() => Write(static writer =>
    {
        writer.BeginDocument("writeConcernError"u8);
        writer.Write("code"u8, 100);
        writer.Write("codeName"u8, "UnsatisfiableWriteConcern"u8);
        writer.Write("errmsg"u8, "Not enough data-bearing nodes"u8);
        writer.End();
    });

    private static byte[] Write(Action<BsonWriter> body)
    {
        using var writer = new BsonWriter();
        body(writer);
        writer.Write("ok"u8, 1);
        return writer.Finish().ToArray();
    }
}

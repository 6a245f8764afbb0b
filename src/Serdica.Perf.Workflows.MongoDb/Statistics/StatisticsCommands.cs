using System.Text;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The commands that ask a server about itself. None of them needs a session or changes anything.</summary>
internal static class StatisticsCommands
{
    /// <summary>Where a replica set keeps its log; in the database <c>local</c>.</summary>
    private const string Oplog = "oplog.rs";

    private static readonly string[] OperationFields =
    [
        "type", "waitingForLock", "locks", "waitingForFlowControl", "waitingForLatch.captureName", "currentQueue.name",
        "prepareReadConflicts", "transaction.timePreparedMicros",
    ];

    /// <summary>What everybody may ask: the kind of member that answers.</summary>
    public static DocumentCommand Hello() => Simple("hello"u8, DocumentOperation.Hello);

    /// <summary>What everybody may ask: the version.</summary>
    public static DocumentCommand BuildInfo() => Simple("buildInfo"u8, DocumentOperation.BuildInfo);

    public static DocumentCommand ServerStatus() => Simple("serverStatus"u8, DocumentOperation.ServerStatus);

    /// <summary>Sizes, and times of reads and writes; one document, on a sharded cluster one for each shard.</summary>
    public static DocumentCommand CollectionStatistics(string collection) => Aggregate(collection, static stages =>
    {
        stages.BeginDocument();
        stages.BeginDocument("$collStats"u8);
        stages.BeginDocument("latencyStats"u8);
        stages.End();
        stages.BeginDocument("storageStats"u8);
        stages.End();
        stages.End();
        stages.End();
        Project(stages, "latencyStats", "storageStats.count", "storageStats.storageSize", "storageStats.freeStorageSize",
            "storageStats.totalIndexSize", "storageStats.indexSizes");
    });

    /// <summary>How often each index was used; one document for each index and server.</summary>
    public static DocumentCommand IndexStatistics(string collection) => Aggregate(collection, static stages =>
    {
        stages.BeginDocument();
        stages.BeginDocument("$indexStats"u8);
        stages.End();
        stages.End();
        Project(stages, "name", "accesses");
    });

    /// <summary>How large the log is, and how large it may become.</summary>
    public static DocumentCommand OplogSize() => Aggregate(Oplog, static stages =>
    {
        stages.BeginDocument();
        stages.BeginDocument("$collStats"u8);
        stages.BeginDocument("storageStats"u8);
        stages.End();
        stages.End();
        stages.End();
        Project(stages, "storageStats.size", "storageStats.maxSize");
    });

    /// <param name="direction">1 for the oldest entry, -1 for the newest.</param>
    public static DocumentCommand OplogEnd(int direction)
    {
        var writer = new BsonWriter();
        writer.Write("find"u8, Oplog);
        writer.BeginDocument("sort"u8);
        writer.Write("$natural"u8, direction);
        writer.End();
        writer.BeginDocument("projection"u8);
        writer.Write("ts"u8, 1);
        writer.End();
        writer.Write("limit"u8, 1);
        writer.Write("singleBatch"u8, true);
        return new DocumentCommand(DocumentOperation.Find, Oplog, writer);
    }

    /// <summary>
    /// What the connections of one application do at this moment, and which of their transactions wait for it. Not those
    /// that watch for changes or for another primary: they are meant to wait. Of the command only its name is fetched.
    /// </summary>
    public static DocumentCommand CurrentOperations(string application) => Aggregate(collection: null, stages =>
    {
        stages.BeginDocument();
        stages.BeginDocument("$currentOp"u8);
        stages.Write("idleSessions"u8, true);
        stages.End();
        stages.End();

        stages.BeginDocument();
        stages.BeginDocument("$match"u8);
        stages.Write("appName"u8, application);
        Without(stages, "cursor.awaitData"u8, true);
        Without(stages, "command.hello"u8);
        Without(stages, "command.isMaster"u8);
        stages.End();
        stages.End();

        stages.BeginDocument();
        stages.BeginDocument("$project"u8);
        foreach (var field in OperationFields)
            stages.Write(Encoding.UTF8.GetBytes(field), 1);
        stages.BeginDocument("verb"u8);
        stages.BeginArray("$arrayElemAt"u8);
        stages.BeginDocument();
        stages.BeginDocument("$map"u8);
        stages.BeginDocument("input"u8);
        stages.Write("$objectToArray"u8, "$command"u8);
        stages.End();
        stages.Write("in"u8, "$$this.k"u8);
        stages.End();
        stages.End();
        stages.Write(default, 0);
        stages.End();
        stages.End();
        stages.End();
        stages.End();
    });

    private static void Without(BsonWriter match, ReadOnlySpan<byte> name, bool value)
    {
        match.BeginDocument(name);
        match.Write("$ne"u8, value);
        match.End();
    }

    private static void Without(BsonWriter match, ReadOnlySpan<byte> name)
    {
        match.BeginDocument(name);
        match.Write("$exists"u8, false);
        match.End();
    }

    private static void Project(BsonWriter stages, params ReadOnlySpan<string> fields)
    {
        stages.BeginDocument();
        stages.BeginDocument("$project"u8);
        foreach (var field in fields)
            stages.Write(Encoding.UTF8.GetBytes(field), 1);
        stages.End();
        stages.End();
    }

    private static DocumentCommand Simple(ReadOnlySpan<byte> name, DocumentOperation operation)
    {
        var writer = new BsonWriter();
        writer.Write(name, 1);
        return new DocumentCommand(operation, "", writer);
    }

    /// <param name="collection">Null for what is of the database.</param>
    /// <param name="stages">Writes the stages of the pipeline.</param>
    private static DocumentCommand Aggregate(string? collection, Action<BsonWriter> stages)
    {
        var writer = new BsonWriter();
        if (collection is null)
            writer.Write("aggregate"u8, 1);
        else
            writer.Write("aggregate"u8, collection);
        writer.BeginArray("pipeline"u8);
        stages(writer);
        writer.End();
        writer.BeginDocument("cursor"u8);

        // One page: nothing is left to be fetched, or to be closed.
        writer.Write("batchSize"u8, 10_000);
        writer.End();
        return new DocumentCommand(DocumentOperation.Aggregate, collection ?? "", writer);
    }
}

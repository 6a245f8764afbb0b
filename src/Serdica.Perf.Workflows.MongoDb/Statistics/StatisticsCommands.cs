namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The commands that ask a server about itself. None of them needs a session or changes anything.</summary>
internal static class StatisticsCommands
{
    /// <summary>Where a replica set keeps its log; in the database <c>local</c>.</summary>
    private const string Oplog = "oplog.rs";

    /// <summary>Sizes, and times of reads and writes.</summary>
    public static BsonDocument CollectionStatistics(string collection) =>
        Aggregate(
            collection,
            "{ $collStats: { latencyStats: {}, storageStats: {} } }",
            """
            { $project: { latencyStats: 1, 'storageStats.count': 1, 'storageStats.storageSize': 1, 'storageStats.freeStorageSize': 1,
                'storageStats.totalIndexSize': 1, 'storageStats.indexSizes': 1 } }
            """
        );

    /// <summary>How often each index was used; one document for each.</summary>
    public static BsonDocument IndexStatistics(string collection) =>
        Aggregate(collection, "{ $indexStats: {} }", "{ $project: { name: 1, accesses: 1 } }");

    /// <summary>How large the log is, and how large it may become.</summary>
    public static BsonDocument OplogSize() =>
        Aggregate(Oplog, "{ $collStats: { storageStats: {} } }", "{ $project: { 'storageStats.size': 1, 'storageStats.maxSize': 1 } }");

    /// <param name="direction">1 for the oldest entry, -1 for the newest.</param>
    public static BsonDocument OplogEnd(int direction) =>
        new()
        {
            { "find", Oplog },
            { "sort", new BsonDocument("$natural", direction) },
            { "projection", new BsonDocument("ts", 1) },
            { "limit", 1 },
            { "singleBatch", true },
        };

    /// <summary>
    /// What the engine's connections do at this moment, and which of their transactions wait for it. Not those
    /// that watch for changes or for another primary: they are meant to wait. Of the command only its name is fetched.
    /// </summary>
    public static BsonDocument CurrentOperations() =>
        Aggregate(
            1,
            new BsonDocument("$currentOp", new BsonDocument("idleSessions", true)),
            new BsonDocument(
                "$match",
                BsonDocument
                    .Parse(
                        """
                        { 'cursor.awaitData': { $ne: true }, 'command.hello': { $exists: false }, 'command.isMaster': { $exists: false } }
                        """
                    )
                    .Add("appName", MongoDriver.Application)
            ),
            BsonDocument.Parse(
                """
                { $project: { type: 1, waitingForLock: 1, locks: 1, waitingForFlowControl: 1, 'waitingForLatch.captureName': 1,
                    'currentQueue.name': 1, prepareReadConflicts: 1, 'transaction.timePreparedMicros': 1,
                    verb: { $arrayElemAt: [{ $map: { input: { $objectToArray: '$command' }, in: '$$this.k' } }, 0] } } }
                """
            )
        );

    private static BsonDocument Aggregate(string collection, params IEnumerable<string> stages) =>
        Aggregate(collection, [.. stages.Select(BsonDocument.Parse)]);

    /// <param name="collection">1 for what is of the database.</param>
    private static BsonDocument Aggregate(BsonValue collection, params BsonDocument[] stages) =>
        new()
        {
            { "aggregate", collection },
            { "pipeline", new BsonArray(stages) },
            // One page: nothing is left to be fetched, or to be closed.
            { "cursor", new BsonDocument("batchSize", 10_000) },
        };
}

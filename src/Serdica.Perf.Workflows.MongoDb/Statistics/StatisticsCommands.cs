namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>The commands that ask a server about itself. None of them needs a session or changes anything.</summary>
internal static class StatisticsCommands
{
    private const string Oplog = "'oplog.rs'";

    public static BsonDocument CollectionStatistics(string collection) =>
        Aggregate(
            $"'{collection}'",
            """
            { $collStats: { latencyStats: {}, storageStats: {} } },
            { $project: { latencyStats: 1, 'storageStats.count': 1, 'storageStats.storageSize': 1, 'storageStats.freeStorageSize': 1,
                'storageStats.totalIndexSize': 1, 'storageStats.indexSizes': 1 } }
            """
        );

    public static BsonDocument IndexStatistics(string collection) =>
        Aggregate($"'{collection}'", "{ $indexStats: {} }, { $project: { name: 1, accesses: 1 } }");

    public static BsonDocument OplogSize() =>
        Aggregate(Oplog, "{ $collStats: { storageStats: {} } }, { $project: { 'storageStats.size': 1, 'storageStats.maxSize': 1 } }");

    /// <param name="direction">1 for the oldest entry, -1 for the newest.</param>
    public static BsonDocument OplogEnd(int direction) =>
        BsonDocument.Parse(
            $$"""{ find: {{Oplog}}, sort: { $natural: {{direction}} }, projection: { ts: 1 }, limit: 1, singleBatch: true }"""
        );

    /// <summary>
    /// What the engine's connections do at this moment, and which of their transactions wait for it. Not those
    /// that watch for changes or for another primary: they are meant to wait. Of the command only its name is fetched.
    /// </summary>
    public static BsonDocument CurrentOperations() =>
        Aggregate(
            "1",
            $$"""
            { $currentOp: { idleSessions: true } },
            { $match: { 'cursor.awaitData': { $ne: true }, 'command.hello': { $exists: false }, 'command.isMaster': { $exists: false },
                appName: '{{MongoDriver.Application}}' } },
            { $project: { type: 1, waitingForLock: 1, locks: 1, waitingForFlowControl: 1, 'waitingForLatch.captureName': 1,
                'currentQueue.name': 1, prepareReadConflicts: 1, 'transaction.timePreparedMicros': 1,
                verb: { $arrayElemAt: [{ $map: { input: { $objectToArray: '$command' }, in: '$$this.k' } }, 0] } } }
            """
        );

    /// <param name="collection">1 for what is of the database.</param>
    private static BsonDocument Aggregate(string collection, string stages) =>
        // One page: nothing is left to be fetched, or to be closed.
        BsonDocument.Parse($$"""{ aggregate: {{collection}}, pipeline: [{{stages}}], cursor: { batchSize: 10000 } }""");
}

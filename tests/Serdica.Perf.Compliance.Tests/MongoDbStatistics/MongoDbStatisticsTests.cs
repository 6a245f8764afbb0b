namespace Serdica.Perf.Compliance;

/// <summary>What replies of a server become, written down after MongoDB's manual for 7.0 and 8.0.</summary>
public sealed class MongoDbStatisticsTests
{
    private const string Collection = """
        {
            "latencyStats": {
                "reads": { "latency": { "$numberLong": "36000" }, "ops": { "$numberLong": "12" } },
                "writes": { "latency": { "$numberLong": "2000" }, "ops": { "$numberLong": "1" } },
                "commands": { "latency": { "$numberLong": "0" }, "ops": { "$numberLong": "0" } },
                "transactions": { "latency": { "$numberLong": "0" }, "ops": { "$numberLong": "0" } }
            },
            "storageStats": {
                "count": 5, "storageSize": 4096, "freeStorageSize": 1024, "totalIndexSize": 8192,
                "indexSizes": { "_id_": 4096, "instance": 4096 }
            }
        }
        """;

    private const string Index =
        """{ "name": "_id_", "accesses": { "ops": { "$numberLong": "7" }, "since": { "$date": 1700000000000 } } }""";

    /// <summary>Two shards answer about each collection.</summary>
    private static Dictionary<string, Func<BsonDocument>> Replies =>
        new()
        {
            ["serverStatus"] = () => BsonDocument.Parse("""{ "network": { "numRequests": { "$numberLong": "1000" } }, "ok": 1.0 }"""),
            ["replSetGetStatus"] = () =>
                BsonDocument.Parse(
                    """
                    { "optimes": { "lastAppliedWallTime": { "$date": 1700000000250 },
                      "lastCommittedWallTime": { "$date": 1700000000000 } } }
                    """
                ),
            ["$collStats"] = () => RecordedServer.Page(Collection, Collection),
            ["$indexStats"] = () => RecordedServer.Page(Index, Index),
            ["$collStats oplog.rs"] = () =>
                RecordedServer.Page("""{ "storageStats": { "size": 2048, "maxSize": { "$numberLong": "52428800" } } }"""),
            ["find oplog.rs"] = OplogEntry(1_700_000_000),
            ["$currentOp"] = () =>
                RecordedServer.Page(
                    """
                    { "type": "op", "verb": "update", "waitingForLock": true, "locks": { "Global": "w", "Collection": "w" },
                      "waitingForFlowControl": false }
                    """
                ),
        };

    [Fact]
    public async Task Sizes_uses_and_times_add_up_over_collections_and_shards()
    {
        var snapshot = await FullAsync(new RecordedServer(Replies));

        var collections = Collections.All.Count;
        Assert.Equal(2 * 4096 * collections, snapshot.Values["tableBytes"].Value);
        Assert.Equal(2 * 8192 * collections, snapshot.Values["indexBytes"].Value);
        Assert.Equal(2 * 5 * collections, snapshot.Values["liveRows"].Value);
        Assert.Equal(14, snapshot.Values["indexUses.signals._id_"].Value);
        Assert.Equal(8192, snapshot.Values["indexBytes.signals.instance"].Value);
        Assert.Contains(new StatementCost("signals: reads", 24, 72, Rows: null, LogBytes: null), snapshot.Statements);
        Assert.Null(snapshot.StatementsMissing);
    }

    /// <summary>The dates of <c>serverStatus</c> have whole seconds; the wall times of the members have milliseconds.</summary>
    [Fact]
    public async Task Majority_is_behind_by_the_wall_times_of_the_replica_set()
    {
        var lag = (await FullAsync(new RecordedServer(Replies))).Values["majorityLag"];

        Assert.Equal((250.0, "ms", true), (lag.Value, lag.Unit, lag.IsGauge));
    }

    [Fact]
    public async Task Oplog_reaches_from_its_first_entry_to_its_last()
    {
        var replies = Replies;
        var times = new Queue<long>([1_700_000_000, 1_700_000_090]);
        replies["find oplog.rs"] = () => OplogEntry(times.Dequeue())();

        var snapshot = await FullAsync(new RecordedServer(replies));

        Assert.Equal(90_000, snapshot.Values["oplogWindow"].Value);
        Assert.Equal(2048, snapshot.Values["oplogBytes"].Value);
        Assert.Equal(52_428_800, snapshot.Values["oplogMaxBytes"].Value);
    }

    [Fact]
    public async Task Waits_are_sampled_from_the_first_full_snapshot_on()
    {
        await using var statistics = new MongoDbStatistics(new RecordedServer(Replies), "store");
        var cancellationToken = Token;
        var sample = await statistics.TakeSnapshotAsync(SnapshotDepth.Sample, cancellationToken);
        var before = await statistics.TakeSnapshotAsync(SnapshotDepth.Full, cancellationToken);
        var after = await statistics.TakeSnapshotAsync(SnapshotDepth.Full, cancellationToken);

        Assert.Equal("Nothing is sampled before the first full snapshot.", sample.WaitsMissing);
        Assert.Null(after.WaitsMissing);
        var wait = Assert.Single(after.Since(before).Waits);
        Assert.Equal(("Lock", "Collection w"), (wait.Class, wait.Name));
        Assert.True(wait.Microseconds > 0, $"{wait.Count} looks stand for {wait.Microseconds} us");
    }

    [Fact]
    public async Task What_the_statistics_ask_is_not_in_the_round_trips()
    {
        var server = new RecordedServer(Replies);

        var snapshot = await FullAsync(server);

        // Oplog and members are asked four times after the server has told its counts, and the sampler may have looked again.
        Assert.InRange(snapshot.Values["roundTrips"].Value!.Value, 1000 - server.Asked.Count, 1000 - 2 * Collections.All.Count);
    }

    [Fact]
    public async Task User_without_privileges_reads_what_to_grant_in_place_of_figures()
    {
        var snapshot = await FullAsync(new RecordedServer([], DocumentErrors.Unauthorized));

        Assert.Equal("This user may not run serverStatus: grant it the role clusterMonitor.", snapshot.Values["walBytes"].Missing);
        Assert.Equal("This user may not run $collStats: grant it the role clusterMonitor.", snapshot.Values["tableBytes"].Missing);
        Assert.Equal("This user may not run $indexStats: grant it the role clusterMonitor.", snapshot.Values["indexUses"].Missing);
        Assert.Equal(
            "This user may not run find on the oplog: grant it the role read on the database local.",
            snapshot.Values["oplogWindow"].Missing
        );
        Assert.Equal(
            "This user may not run $currentOp: grant it the privilege inprog, which the role clusterMonitor has.",
            snapshot.WaitsMissing
        );
        Assert.Equal("This user may not run $collStats: grant it the role clusterMonitor.", snapshot.StatementsMissing);
        EachItem.Holds(snapshot.Values.Where(figure => figure.Key != "collectorTime"), figure => Assert.Null(figure.Value.Value));
    }

    [Theory]
    [InlineData(DocumentErrors.CommandNotFound)]
    [InlineData(DocumentErrors.CommandNotSupported)]
    [InlineData(DocumentErrors.UnknownStage)]
    public async Task Server_that_does_not_know_a_command_has_no_such_figures(int code)
    {
        var replies = Replies;
        replies.Remove("$indexStats");
        replies.Remove("$currentOp");

        var snapshot = await FullAsync(new RecordedServer(replies, code));

        Assert.Equal("This server has no $indexStats.", snapshot.Values["indexUses"].Missing);
        Assert.Equal("This server has no $currentOp.", snapshot.WaitsMissing);
        Assert.NotNull(snapshot.Values["tableBytes"].Value);
    }

    [Fact]
    public async Task Server_that_cannot_be_reached_is_an_error_and_no_figure()
    {
        await using var statistics = new MongoDbStatistics(new RecordedServer([], refusal: 0), "store");

        var error = await BackendFails(() => statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token));

        Assert.True(error.IsTransient);
        Assert.StartsWith("The mongodb server could not tell its statistics", error.Message);
    }

    private static Func<BsonDocument> OplogEntry(long seconds) =>
        () => RecordedServer.Page($$"""{ "ts": { "$timestamp": { "t": {{seconds}}, "i": 1 } } }""");

    private static async Task<StatisticsSnapshot> FullAsync(RecordedServer server)
    {
        await using var statistics = new MongoDbStatistics(server, "store");
        return await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token);
    }
}

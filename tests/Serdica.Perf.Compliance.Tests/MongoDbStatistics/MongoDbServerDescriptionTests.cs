namespace Serdica.Perf.Compliance;

/// <summary>What a server says of itself.</summary>
public sealed class MongoDbServerDescriptionTests
{
    private const string Member = """{ "isWritablePrimary": true, "setName": "rs0", "ok": 1.0 }""";
    private const string Router = """{ "isWritablePrimary": true, "msg": "isdbgrid", "ok": 1.0 }""";
    private const string Alone = """{ "isWritablePrimary": true, "ok": 1.0 }""";
    private const string Status = """{ "process": "mongod", "storageEngine": { "name": "wiredTiger", "persistent": true }, "ok": 1.0 }""";

    [Fact]
    public async Task A_member_of_a_replica_set_has_transactions_and_keeps_its_data()
    {
        var description = await ReadAsync(Member, Status);

        Assert.Equal("MongoDB", description.Product);
        Assert.True(description.IsMongoDb);
        Assert.Equal("8.0.4", description.Version);
        Assert.True(description.HasTransactions);
        Assert.True(description.IsPersistent);
        Assert.Equal("rs0", description.Settings["replicaSet"]);
        Assert.Equal("wiredTiger", description.Settings["storageEngine"]);
        Assert.Equal("majority, journaled", description.Settings["writeConcern"]);
    }

    [Fact]
    public async Task A_server_that_stands_alone_has_no_transactions() => Assert.False((await ReadAsync(Alone, Status)).HasTransactions);

    [Fact]
    public async Task A_router_has_transactions() =>
        Assert.True((await ReadAsync(Router, """{ "process": "mongos", "ok": 1.0 }""")).HasTransactions);

    /// <summary>Other products greet as routers too, so that drivers use no name of theirs; they say another name or none.</summary>
    [Theory]
    [InlineData(Router, """{ "process": "mongos", "ok": 1.0 }""", true)]
    [InlineData(Router, null, true)]
    [InlineData(Router, """{ "process": "ferretdb", "ok": 1.0 }""", false)]
    [InlineData(Router, """{ "version": "0.0.0", "ok": 1.0 }""", false)]
    [InlineData(Member, Status, false)]
    [InlineData(Alone, null, false)]
    public async Task A_router_of_MongoDB_is_known_by_its_greeting_and_its_name(string hello, string? status, bool isRouter) =>
        Assert.Equal(isRouter, (await ReadAsync(hello, status)).IsRouter);

    [Fact]
    public async Task Data_in_memory_is_not_kept() =>
        Assert.False(
            (await ReadAsync(Member, """{ "storageEngine": { "name": "inMemory", "persistent": false }, "ok": 1.0 }""")).IsPersistent
        );

    [Fact]
    public async Task User_who_may_not_read_the_status_learns_all_but_the_storage()
    {
        var description = await ReadAsync(Member, status: null);

        Assert.Equal("8.0.4", description.Version);
        Assert.True(description.HasTransactions);
        Assert.Null(description.IsPersistent);
        Assert.False(description.IsMongoDb);
        Assert.Equal("unknown product with MongoDB's commands", description.Product);
    }

    [Fact]
    public async Task Conditions_of_a_run_are_told()
    {
        var settings = (
            await ReadAsync(
                """{ "setName": "rs0", "hosts": ["a:27017", "b:27017", "c:27017"], "ok": 1.0 }""",
                """{ "process": "mongod", "wiredTiger": { "cache": { "maximum bytes configured": { "$numberLong": "1073741824" } } } }""",
                ("getDefaultRWConcern", """{ "defaultReadConcern": { "level": "local" }, "defaultWriteConcern": { "w": "majority" } }"""),
                ("getParameter", """{ "featureCompatibilityVersion": { "version": "8.0" }, "ok": 1.0 }""")
            )
        ).Settings;

        Assert.Equal("3", settings["members"]);
        Assert.Equal("1073741824", settings["cacheBytes"]);
        Assert.Equal("8.0", settings["featureVersion"]);
        Assert.Equal("majority", settings["defaultWriteConcern"]);
        Assert.Equal("local", settings["defaultReadConcern"]);
    }

    /// <summary>
    /// Shaped as in https://www.mongodb.com/docs/v8.0/reference/command/dbStats, and as in the server's source:
    /// src/mongo/db/storage/storage_parameters.idl and storage_options.h have the parameters with their types and defaults.
    /// </summary>
    [Fact]
    public async Task Disk_is_told_as_far_as_the_server_does()
    {
        var settings = (
            await ReadAsync(
                Member,
                Status,
                (
                    "dbStats",
                    """
                    { "db": "admin", "collections": { "$numberLong": "2" }, "objects": { "$numberLong": "3" }, "scaleFactor": 1,
                        "fsUsedSize": 60155820032.0, "fsTotalSize": 62725623808.0, "ok": 1.0 }
                    """
                ),
                (
                    "getParameter",
                    """
                    { "featureCompatibilityVersion": { "version": "8.0" }, "journalCommitInterval": 100, "syncdelay": 60.0,
                        "storageGlobalParams.directoryperdb": false, "ok": 1.0 }
                    """
                )
            )
        ).Settings;

        Assert.Equal("true", settings["persistent"]);
        Assert.Equal("62725623808", settings["fileSystemBytes"]);
        Assert.Equal("100", settings["journalCommitInterval"]);
        Assert.Equal("60", settings["syncdelay"]);
        Assert.Equal("false", settings["directoryPerDB"]);
    }

    /// <summary>The server reports -1 for a file system that it cannot read, and 0 for a database that does not exist.</summary>
    [Theory]
    [InlineData(-1, "unknown")]
    [InlineData(0, "unknown")]
    [InlineData(1, "1")]
    public async Task Disk_that_the_server_does_not_know_is_unknown(int size, string told)
    {
        var settings = (
            await ReadAsync(
                Member,
                Status,
                ("dbStats", $$"""{ "fsTotalSize": {{size}}, "ok": 1.0 }"""),
                ("getParameter", """{ "journalCommitInterval": 30, "ok": 1.0 }""")
            )
        ).Settings;

        Assert.Equal((told, "30", "unknown"), (settings["fileSystemBytes"], settings["journalCommitInterval"], settings["syncdelay"]));
    }

    [Fact]
    public async Task User_who_may_not_ask_for_the_disk_learns_that_it_is_unknown()
    {
        var settings = (await ReadAsync(Member, status: null)).Settings;

        foreach (var name in new[] { "persistent", "fileSystemBytes", "journalCommitInterval", "syncdelay", "directoryPerDB" })
            Assert.Equal("unknown", settings[name]);
    }

    [Fact]
    public async Task Another_product_goes_by_its_own_name()
    {
        var description = await ReadAsync(Router, """{ "process": "ferretdb", "ok": 1.0 }""");

        Assert.Equal("ferretdb", description.Product);
        Assert.False(description.IsMongoDb);
    }

    private static async Task<MongoDbServerDescription> ReadAsync(
        string hello,
        string? status,
        params (string Command, string Reply)[] further
    )
    {
        var replies = new Dictionary<string, Func<BsonDocument>>
        {
            ["hello"] = () => BsonDocument.Parse(hello),
            ["buildInfo"] = () => BsonDocument.Parse("""{ "version": "8.0.4", "ok": 1.0 }"""),
        };
        if (status is not null)
            replies["serverStatus"] = () => BsonDocument.Parse(status);
        foreach (var (command, reply) in further)
            replies[command] = () => BsonDocument.Parse(reply);
        await using var server = new RecordedServer(replies, DocumentErrors.Unauthorized);
        return await MongoDbServerDescription.ReadAsync(server, Token);
    }
}

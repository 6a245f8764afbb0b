namespace Serdica.Perf.Compliance;

/// <summary>What a server says of itself.</summary>
public sealed class MongoDbServerDescriptionTests
{
    private const string Member = """{ "isWritablePrimary": true, "setName": "rs0", "ok": 1.0 }""";
    private const string Router = """{ "isWritablePrimary": true, "msg": "isdbgrid", "ok": 1.0 }""";
    private const string Alone = """{ "isWritablePrimary": true, "ok": 1.0 }""";
    private const string Status = """{ "process": "mongod", "storageEngine": { "name": "wiredTiger", "persistent": true }, "ok": 1.0 }""";
    private const string Unknown = "unknown product with MongoDB's commands";

    /// <summary>Other products greet as routers too, so that drivers use no name of theirs; they say another name or none.</summary>
    /// <param name="status">Null for a user who may not read it.</param>
    [Theory]
    [InlineData(Member, Status, "MongoDB", true, false, true)]
    [InlineData(Alone, Status, "MongoDB", false, false, true)]
    [InlineData(Router, """{ "process": "mongos", "ok": 1.0 }""", "MongoDB", true, true, null)]
    [InlineData(Router, null, Unknown, true, true, null)]
    [InlineData(Router, """{ "process": "ferretdb", "ok": 1.0 }""", "ferretdb", true, false, null)]
    [InlineData(Router, """{ "version": "0.0.0", "ok": 1.0 }""", Unknown, true, false, null)]
    [InlineData(Alone, null, Unknown, false, false, null)]
    [InlineData(Member, null, Unknown, true, false, null)]
    [InlineData(Member, """{ "storageEngine": { "name": "inMemory", "persistent": false }, "ok": 1.0 }""", Unknown, true, false, false)]
    public async Task A_server_is_known_by_its_greeting_and_its_name(
        string hello,
        string? status,
        string product,
        bool hasTransactions,
        bool isRouter,
        bool? isPersistent
    )
    {
        var server = await ReadAsync(hello, status);

        Assert.Equal((product, product == "MongoDB", "8.0.4"), (server.Product, server.IsMongoDb, server.Version));
        Assert.Equal((hasTransactions, isRouter, isPersistent), (server.HasTransactions, server.IsRouter, server.IsPersistent));
    }

    /// <summary>
    /// Shaped as in https://www.mongodb.com/docs/v8.0/reference/command/dbStats, and as in the server's source:
    /// src/mongo/db/storage/storage_parameters.idl and storage_options.h have the parameters with their types and defaults.
    /// </summary>
    [Fact]
    public async Task Conditions_of_a_run_are_told()
    {
        var settings = (
            await ReadAsync(
                """{ "setName": "rs0", "hosts": ["a:27017", "b:27017", "c:27017"], "ok": 1.0 }""",
                """
                { "process": "mongod", "storageEngine": { "name": "wiredTiger", "persistent": true },
                    "wiredTiger": { "cache": { "maximum bytes configured": { "$numberLong": "1073741824" } } } }
                """,
                ("getDefaultRWConcern", """{ "defaultReadConcern": { "level": "local" }, "defaultWriteConcern": { "w": "majority" } }"""),
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

        Assert.Equal(
            "writeConcern majority, journaled; process mongod; replicaSet rs0; members 3; storageEngine wiredTiger; cacheBytes 1073741824; "
                + "featureVersion 8.0; defaultWriteConcern majority; defaultReadConcern local; persistent true; "
                + "fileSystemBytes 62725623808; journalCommitInterval 100; syncdelay 60; directoryPerDB false",
            string.Join("; ", settings.Where(static setting => setting.Key != "readConcern").Select(static s => $"{s.Key} {s.Value}"))
        );
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

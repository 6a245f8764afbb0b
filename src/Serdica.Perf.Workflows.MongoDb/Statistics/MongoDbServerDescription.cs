namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A server as it describes itself. The version and the kind of member everybody may ask for.</summary>
/// <param name="Product"><c>MongoDB</c> where the server's process has the name of MongoDB's; else its own name.</param>
/// <param name="Version">Null when the server does not report it.</param>
/// <param name="HasTransactions">It belongs to a replica set or a sharded cluster.</param>
/// <param name="IsRouter">
/// It is a router of a sharded cluster, a mongos; also one that does not say its name to this user. Another product may greet as a
/// router and have no shards.
/// </param>
/// <param name="IsPersistent">Its storage engine keeps data on disk; null when the server does not report it.</param>
/// <param name="Settings">What decides what figures mean.</param>
internal sealed record MongoDbServerDescription(
    string Product,
    string? Version,
    bool HasTransactions,
    bool IsRouter,
    bool? IsPersistent,
    IReadOnlyDictionary<string, string> Settings
)
{
    private const string MongoDb = "MongoDB";

    private const string Admin = "admin";

    private const string FeatureVersion = "featureCompatibilityVersion";

    private const string JournalCommitInterval = "journalCommitInterval";

    private const string SyncDelay = "syncdelay";

    private const string DirectoryPerDatabase = "storageGlobalParams.directoryperdb";

    /// <summary>A process that does not say its name may be any product that understands MongoDB's commands.</summary>
    private const string Unknown = "unknown product with MongoDB's commands";

    private const string NotTold = "unknown";

    public bool IsMongoDb => Product == MongoDb;

    public static async Task<MongoDbServerDescription> ReadAsync(string connectionString, CancellationToken cancellationToken)
    {
        var server = new MongoDriverServer(connectionString, MongoDriver.Application);
        await using (server.ConfigureAwait(false))
            return await ReadAsync(server, cancellationToken).ConfigureAwait(false);
    }

    internal static Task<MongoDbServerDescription> ReadAsync(IMongoDbServer server, CancellationToken cancellationToken) =>
        MongoDbErrors.Of("mongodb").WrapAsync("tell what it is", () => AskAsync(server, cancellationToken));

    private static async Task<MongoDbServerDescription> AskAsync(IMongoDbServer server, CancellationToken cancellationToken)
    {
        var answers = new MongoDbAnswers(server);
        var hello = await server.RunAsync(Admin, new("hello", 1), cancellationToken).ConfigureAwait(false);
        var build = await server.RunAsync(Admin, new("buildInfo", 1), cancellationToken).ConfigureAwait(false);
        var status = await TryAsync("serverStatus").ConfigureAwait(false);
        var concerns = await TryAsync("getDefaultRWConcern").ConfigureAwait(false);

        // Those of these that the server has; it refuses only when it has none.
        var parameters = await TryAsync("getParameter", FeatureVersion, JournalCommitInterval, SyncDelay, DirectoryPerDatabase)
            .ConfigureAwait(false);

        // The statistics of the database admin, which each replica set has.
        var size = (await TryAsync("dbStats").ConfigureAwait(false)).Find("fsTotalSize");

        var greetsAsRouter = hello.FindText("msg") is "isdbgrid";
        var process = status.FindText("process");
        var isPersistent = status.Find("storageEngine", "persistent");
        var settings = new Dictionary<string, string>
        {
            // What the backend asks of each commit, whatever the server's defaults are.
            ["writeConcern"] = "majority, journaled",
            ["readConcern"] = "local for reads before writes, majority for answers to callers, snapshot for counts",
        };
        Add("process", status.Find("process"), greetsAsRouter ? "mongos" : null);
        Add("replicaSet", hello.Find("setName"));
        Add("members", hello.Find("hosts") is BsonArray hosts ? new BsonInt32(hosts.Count) : null);
        Add("storageEngine", status.Find("storageEngine", "name"));
        Add("cacheBytes", status.Find("wiredTiger", "cache", "maximum bytes configured"));
        Add("featureVersion", parameters.Find(FeatureVersion, "version"));
        Add("defaultWriteConcern", concerns.Find("defaultWriteConcern", "w"));
        Add("defaultReadConcern", concerns.Find("defaultReadConcern", "level"));
        Add("persistent", isPersistent, NotTold);
        Add("fileSystemBytes", size is { IsNumeric: true } && size.ToInt64() > 0 ? size : null, NotTold);
        Add(JournalCommitInterval, parameters.Find(JournalCommitInterval), NotTold);
        Add(SyncDelay, parameters.Find(SyncDelay), NotTold);
        Add("directoryPerDB", parameters.Find(DirectoryPerDatabase), NotTold);
        return new(
            ProductOf(process),
            build.FindText("version"),
            settings.ContainsKey("replicaSet") || greetsAsRouter,
            greetsAsRouter && (process is null ? status.ElementCount == 0 : ProductOf(process) == MongoDb),
            isPersistent?.ToBoolean(),
            settings
        );

        void Add(string name, BsonValue? value, string? otherwise = null)
        {
            if ((value is { IsNumeric: true } ? Invariant($"{value.ToInt64()}") : value?.ToString() ?? otherwise) is { } text)
                settings[name] = text;
        }

        async Task<BsonDocument> TryAsync(string name, params string[] parameters)
        {
            var command = new BsonDocument(name, 1).AddRange(parameters.Select(static parameter => new BsonElement(parameter, 1)));
            return (await answers.AskAsync(Admin, command, name, "", cancellationToken).ConfigureAwait(false)).Reply ?? [];
        }
    }

    /// <summary>On Windows its name ends as those of programs do there.</summary>
    private static string ProductOf(string? process) =>
        process switch
        {
            null => Unknown,
            "mongod" or "mongos" or "mongod.exe" or "mongos.exe" => MongoDb,
            _ => process,
        };
}

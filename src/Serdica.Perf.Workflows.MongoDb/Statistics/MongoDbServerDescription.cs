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

    /// <summary>Milliseconds after which the journal is flushed when no commit asks for it.</summary>
    private const string JournalCommitInterval = "journalCommitInterval";

    /// <summary>Seconds between checkpoints.</summary>
    private const string SyncDelay = "syncdelay";

    private const string DirectoryPerDatabase = "storageGlobalParams.directoryperdb";

    /// <summary>A process that does not say its name may be any product that understands MongoDB's commands.</summary>
    private const string Unknown = "unknown product with MongoDB's commands";

    /// <summary>It is no other product that understands MongoDB's commands.</summary>
    public bool IsMongoDb => Product == MongoDb;

    /// <summary>Connects and asks.</summary>
    /// <exception cref="WorkflowBackendException">The server could not be asked.</exception>
    public static async Task<MongoDbServerDescription> ReadAsync(string connectionString, CancellationToken cancellationToken)
    {
        var server = new MongoDriverServer(connectionString, MongoDriver.Application);
        await using (server.ConfigureAwait(false))
            return await ReadAsync(server, cancellationToken).ConfigureAwait(false);
    }

    internal static async Task<MongoDbServerDescription> ReadAsync(IMongoDbServer server, CancellationToken cancellationToken)
    {
        var answers = new MongoDbAnswers(server);
        try
        {
            var hello = await server.RunAsync(Admin, new("hello", 1), cancellationToken).ConfigureAwait(false);
            var build = await server.RunAsync(Admin, new("buildInfo", 1), cancellationToken).ConfigureAwait(false);
            var status = await AskAsync("serverStatus").ConfigureAwait(false);
            var concerns = await AskAsync("getDefaultRWConcern").ConfigureAwait(false);

            // Those of these that the server has; it refuses only when it has none.
            var parameters = await AskAsync("getParameter", FeatureVersion, JournalCommitInterval, SyncDelay, DirectoryPerDatabase)
                .ConfigureAwait(false);

            // The statistics of the database admin, which each replica set has.
            var database = await AskAsync("dbStats").ConfigureAwait(false);
            return Read(hello, build, status, concerns, parameters, database);
        }
        catch (DocumentCommandException e)
        {
            throw MongoDbErrors.Wrap("mongodb", "tell what it is", e);
        }

        async Task<BsonDocument> AskAsync(string name, params string[] parameters)
        {
            var command = new BsonDocument(name, 1).AddRange(parameters.Select(static parameter => new BsonElement(parameter, 1)));
            return (await answers.AskAsync(Admin, command, name, "", cancellationToken).ConfigureAwait(false)).Reply ?? [];
        }
    }

    private static MongoDbServerDescription Read(
        BsonDocument hello,
        BsonDocument build,
        BsonDocument status,
        BsonDocument concerns,
        BsonDocument parameters,
        BsonDocument database
    )
    {
        var greetsAsRouter = hello.FindText("msg") is "isdbgrid";
        var process = status.FindText("process");
        var settings = new Dictionary<string, string>
        {
            // What the backend asks of each commit, whatever the server's defaults are.
            ["writeConcern"] = "majority, journaled",
            ["readConcern"] = "local for reads before writes, majority for answers to callers, snapshot for counts",
        };
        Add("process", process ?? (greetsAsRouter ? "mongos" : null));
        Add("replicaSet", hello.FindText("setName"));
        Add("members", hello.TryGetValue("hosts", out var hosts) ? Number(hosts.AsBsonArray.Count) : null);
        Add("storageEngine", status.FindText("storageEngine", "name"));
        Add("cacheBytes", status.Find("wiredTiger", "cache", "maximum bytes configured") is { } cache ? Number(cache.ToInt64()) : null);
        Add("featureVersion", parameters.FindText(FeatureVersion, "version"));
        Add("defaultWriteConcern", concerns.Find("defaultWriteConcern", "w")?.ToString());
        Add("defaultReadConcern", concerns.FindText("defaultReadConcern", "level"));
        AddOfDisk("persistent", status.Find("storageEngine", "persistent"));
        AddOfDisk("fileSystemBytes", database.Find("fsTotalSize") is { IsNumeric: true } size && size.ToInt64() > 0 ? size : null);
        AddOfDisk(JournalCommitInterval, parameters.Find(JournalCommitInterval));
        AddOfDisk(SyncDelay, parameters.Find(SyncDelay));
        AddOfDisk("directoryPerDB", parameters.Find(DirectoryPerDatabase));
        return new(
            ProductOf(process),
            build.FindText("version"),
            settings.ContainsKey("replicaSet") || greetsAsRouter,
            greetsAsRouter && (process is null ? status.ElementCount == 0 : ProductOf(process) == MongoDb),
            status.Find("storageEngine", "persistent")?.ToBoolean(),
            settings
        );

        void AddOfDisk(string name, BsonValue? value) =>
            settings[name] = value is null ? "unknown" : value.IsNumeric ? Number(value.ToInt64()) : value.ToString()!;

        void Add(string name, string? value)
        {
            if (value is not null)
                settings[name] = value;
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

    private static string Number(long number) => number.ToString(CultureInfo.InvariantCulture);
}

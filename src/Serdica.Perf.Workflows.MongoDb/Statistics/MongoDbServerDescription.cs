namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A server as it describes itself. The version and the kind of member everybody may ask for.</summary>
/// <param name="Product">
/// <c>MongoDB</c> where the server's process is called as MongoDB calls its own, or does not tell; else by its own name.
/// </param>
/// <param name="Version">Null when the server does not report it.</param>
/// <param name="HasTransactions">It belongs to a replica set or a sharded cluster.</param>
/// <param name="IsPersistent">Its storage engine keeps data on disk; null when the server does not report it.</param>
/// <param name="Settings">What decides what figures mean.</param>
public sealed record MongoDbServerDescription(
    string Product, string? Version, bool HasTransactions, bool? IsPersistent, IReadOnlyDictionary<string, string> Settings)
{
    private const string MongoDb = "MongoDB";

    /// <summary>It is no other product that understands MongoDB's commands.</summary>
    public bool IsMongoDb => Product == MongoDb;

    /// <summary>Connects and asks.</summary>
    /// <exception cref="WorkflowBackendException">The server could not be asked.</exception>
    public static async Task<MongoDbServerDescription> ReadAsync(IDocumentDatabase database, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(database);
        try
        {
            var replies = await database.RunAsync([StatisticsCommands.Hello(), StatisticsCommands.BuildInfo()], cancellationToken).ConfigureAwait(false);
            var (status, _) = await new MongoDbAnswers().AskAsync(
                database, StatisticsCommands.ServerStatus(), "serverStatus", "", cancellationToken).ConfigureAwait(false);
            return Read(replies[0], replies[1], status);
        }
        catch (DocumentCommandException e)
        {
            throw MongoDbErrors.Wrap(database.Engine, "tell what it is", e);
        }
    }

    /// <param name="hello">Tells the replica set, and who is a router.</param>
    /// <param name="buildInfo">Tells the version.</param>
    /// <param name="status">Null when this user may not read it.</param>
    internal static MongoDbServerDescription Read(DocumentReply hello, DocumentReply buildInfo, DocumentReply? status)
    {
        var replicaSet = Text(hello, "setName"u8);
        var isRouter = Text(hello, "msg"u8) is "isdbgrid";
        string? process = null, engine = null;
        bool? isPersistent = null;
        if (status is { } told)
        {
            process = Text(told, "process"u8);
            (engine, isPersistent) = ReadStorageEngine(told);
        }

        return new(
            ProductOf(process), Text(buildInfo, "version"u8), replicaSet is not null || isRouter, isPersistent,
            ConditionsOf(process ?? (isRouter ? "mongos" : null), replicaSet, engine));
    }

    /// <summary>On Windows its name ends as those of programs do there.</summary>
    private static string ProductOf(string? process) => process is null or "mongod" or "mongos" or "mongod.exe" or "mongos.exe" ? MongoDb : process;

    private static string? Text(DocumentReply reply, ReadOnlySpan<byte> name)
    {
        var reader = new BsonReader(reply.Bytes.Span);
        return reader.Find(name) && reader.Type == BsonType.String ? reader.String() : null;
    }

    private static (string? Name, bool? IsPersistent) ReadStorageEngine(DocumentReply status)
    {
        string? name = null;
        bool? isPersistent = null;
        var reader = new BsonReader(status.Bytes.Span);
        if (!reader.Find("storageEngine"u8))
            return (name, isPersistent);
        var engine = new BsonReader(reader.Document());
        while (engine.Next())
        {
            if (engine.Name.SequenceEqual("name"u8))
                name = engine.String();
            else if (engine.Name.SequenceEqual("persistent"u8))
                isPersistent = engine.Number() != 0;
        }

        return (name, isPersistent);
    }

    /// <summary>What the server is, and what the backend asks of each commit whatever the server's defaults are.</summary>
    private static Dictionary<string, string> ConditionsOf(string? process, string? replicaSet, string? engine)
    {
        var settings = new Dictionary<string, string>
        {
            ["writeConcern"] = "majority, journaled",
            ["readConcern"] = "local for reads before writes, majority for answers to callers, snapshot for counts",
        };
        if (process is not null)
            settings["process"] = process;
        if (replicaSet is not null)
            settings["replicaSet"] = replicaSet;
        if (engine is not null)
            settings["storageEngine"] = engine;
        return settings;
    }
}

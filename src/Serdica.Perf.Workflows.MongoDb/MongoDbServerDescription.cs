namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>A MongoDB server as it describes itself.</summary>
/// <param name="Version">Null when the user may not read it.</param>
/// <param name="HasTransactions">It belongs to a replica set or a sharded cluster.</param>
/// <param name="IsPersistent">Its storage engine keeps data on disk; null when it does not tell.</param>
/// <param name="Settings">What decides what figures mean.</param>
public sealed record MongoDbServerDescription(
    string? Version, bool HasTransactions, bool? IsPersistent, IReadOnlyDictionary<string, string> Settings)
{
    /// <summary>Connects and asks.</summary>
    /// <exception cref="WorkflowBackendException">The server could not be asked.</exception>
    public static async Task<MongoDbServerDescription> ReadAsync(IDocumentDatabase database, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(database);
        try
        {
            return Read(await MongoDbStatistics.ReadStatusAsync(database, cancellationToken).ConfigureAwait(false));
        }
        catch (DocumentCommandException e)
        {
            throw MongoDbErrors.Wrap(database.Engine, "tell what it is", e);
        }
    }

    internal static MongoDbServerDescription Read(DocumentReply status)
    {
        string? version = null, process = null, replicaSet = null, engine = null;
        bool? isPersistent = null;
        var reader = new BsonReader(status.Bytes.Span);
        while (reader.Next())
        {
            if (reader.Name.SequenceEqual("version"u8))
                version = reader.String();
            else if (reader.Name.SequenceEqual("process"u8))
                process = reader.String();
            else if (reader.Name.SequenceEqual("repl"u8))
                replicaSet = ReadReplicaSet(reader);
            else if (reader.Name.SequenceEqual("storageEngine"u8))
                (engine, isPersistent) = ReadStorageEngine(reader);
        }

        return new(version, replicaSet is not null || process is "mongos", isPersistent, ConditionsOf(process, replicaSet, engine));
    }

    private static string? ReadReplicaSet(BsonReader parent)
    {
        var repl = new BsonReader(parent.Document());
        return repl.Find("setName"u8) ? repl.String() : null;
    }

    private static (string? Name, bool? IsPersistent) ReadStorageEngine(BsonReader parent)
    {
        string? name = null;
        bool? isPersistent = null;
        var engine = new BsonReader(parent.Document());
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
        var settings = new Dictionary<string, string> { ["writeConcern"] = "majority, journaled", ["readConcern"] = "snapshot" };
        if (process is not null)
            settings["process"] = process;
        if (replicaSet is not null)
            settings["replicaSet"] = replicaSet;
        if (engine is not null)
            settings["storageEngine"] = engine;
        return settings;
    }
}

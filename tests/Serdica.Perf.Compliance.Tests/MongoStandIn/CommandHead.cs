using System.Text;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>What a command says before it says what it is about. Breaks of MongoDB's rules are refused as MongoDB does.</summary>
internal sealed record CommandHead(string Verb, string Collection, string Database)
{
    private const int InvalidOptions = 72;
    private const int DuplicateField = 40413;

    public long Number { get; private init; }

    public string? Session { get; private init; }

    public long Transaction { get; private init; }

    /// <summary>The sessions that <c>endSessions</c> ends.</summary>
    public IReadOnlyList<string> EndedSessions { get; private init; } = [];

    public bool IsInTransaction { get; private init; }

    public bool StartsTransaction { get; private init; }

    public TimeSpan MaxTime { get; private init; }

    /// <summary>Null when the command leaves it to the server.</summary>
    public string? ReadConcern { get; private init; }

    /// <summary>The position that a change stream goes on from; null when the command opens none.</summary>
    public long? ChangesAfter { get; private init; }

    public static CommandHead Read(byte[] command)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        var head = new CommandHead("", "", "admin");
        var reader = new BsonReader(command);
        while (reader.Next())
        {
            var name = Encoding.UTF8.GetString(reader.Name);
            if (!names.Add(name))
                throw new DocumentCommandException(DuplicateField, $"BSON field '{name}' is a duplicate field.", isTransient: false);
            head = name switch
            {
                _ when names.Count == 1 => head with
                {
                    Verb = name,
                    Collection = reader.Type == BsonType.String ? reader.String() : "",
                    Number = reader.Type == BsonType.Int64 ? reader.Int64() : 0,
                    EndedSessions = name == "endSessions" ? SessionIds(reader) : [],
                },
                "collection" => head with { Collection = reader.String() },
                "$db" => head with { Database = reader.String() },
                "lsid" => head with { Session = SessionId(reader) },
                "txnNumber" => head with { Transaction = reader.Int64() },
                "autocommit" => head with { IsInTransaction = true },
                "startTransaction" => head with { StartsTransaction = true },
                "readConcern" => head with { ReadConcern = Level(reader) },
                "maxTimeMS" => head with { MaxTime = TimeSpan.FromMilliseconds(reader.Int64()) },
                "pipeline" => head with { ChangesAfter = ChangeStreamStart(reader) },
                _ => head,
            };
        }

        head.CheckTransaction(names);
        return head;
    }

    private void CheckTransaction(HashSet<string> names)
    {
        if (!IsInTransaction || Verb is "commitTransaction" or "abortTransaction")
            return;
        if (names.Contains("writeConcern"))
            throw new DocumentCommandException(InvalidOptions, "writeConcern is not allowed within a multi-statement transaction.", isTransient: false);
        if (names.Contains("readConcern") && !StartsTransaction)
            throw new DocumentCommandException(InvalidOptions, "Only the first command in a transaction may specify a readConcern.", isTransient: false);
    }

    private static string SessionId(BsonReader parent)
    {
        var session = new BsonReader(parent.Document());
        return session.Find("id"u8) ? Convert.ToHexString(session.Binary()) : "";
    }

    private static List<string> SessionIds(BsonReader parent)
    {
        var ids = new List<string>();
        var sessions = new BsonReader(parent.Document());
        while (sessions.Next())
            ids.Add(SessionId(sessions));
        return ids;
    }

    private static string? Level(BsonReader parent)
    {
        var concern = new BsonReader(parent.Document());
        return concern.Find("level"u8) ? concern.String() : null;
    }

    private static long? ChangeStreamStart(BsonReader parent)
    {
        var stages = new BsonReader(parent.Document());
        if (!stages.Next())
            return null;
        var stage = new BsonReader(stages.Document());
        if (!stage.Find("$changeStream"u8))
            return null;
        var options = new BsonReader(stage.Document());
        if (!options.Find("resumeAfter"u8))
            return 0;
        var token = new BsonReader(options.Document());
        return token.Find("_data"u8) ? long.Parse(token.String(), System.Globalization.CultureInfo.InvariantCulture) : 0;
    }
}

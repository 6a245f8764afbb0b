using System.Text;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>
/// Answers a command by what was written down for it: for its verb, with the collection of a query, or for the first
/// stage of a pipeline. What is not written down is refused.
/// </summary>
internal sealed class RecordedServer(Dictionary<string, Func<DocumentReply>> replies, int refusal = DocumentErrors.CommandNotFound)
{
    public List<string> Asked { get; } = [];

    /// <summary>The read concerns of the queries so far.</summary>
    public List<string> Levels { get; } = [];

    /// <summary>The ids of the claims so far, as they were asked for.</summary>
    public List<Guid> Claimed { get; } = [];

    public IDocumentDatabase Open(string name) => new Database(this, name);

    private DocumentReply Answer(DocumentCommand command)
    {
        var key = KeyOf(command);
        lock (Asked)
        {
            Asked.Add(key);
            Levels.AddRange(LevelOf(command));
            if (command is { Operation: DocumentOperation.Insert, Collection: Collections.Claims })
                Claimed.AddRange(IdsOf(command));
        }

        return replies.TryGetValue(key, out var reply)
            ? reply()
            : throw new DocumentCommandException(refusal, $"not authorized on admin to execute command {key}", isTransient: refusal == 0);
    }

    private static string KeyOf(DocumentCommand command)
    {
        var reader = new BsonReader(command.Bytes.Span);
        reader.Next();
        var verb = Encoding.UTF8.GetString(reader.Name);
        if (command.Operation == DocumentOperation.Find)
            return $"{verb} {command.Collection}";
        if (!reader.Find("pipeline"u8))
            return verb;
        var stages = new BsonReader(reader.Document());
        stages.Next();
        var stage = new BsonReader(stages.Document());
        stage.Next();
        var name = Encoding.UTF8.GetString(stage.Name);
        return command.Collection == "oplog.rs" ? $"{name} oplog.rs" : name;
    }

    private static string[] LevelOf(DocumentCommand command)
    {
        var reader = new BsonReader(command.Bytes.Span);
        if (!reader.Find("readConcern"u8))
            return [];
        var concern = new BsonReader(reader.Document());
        return concern.Find("level"u8) ? [concern.String()] : [];
    }

    private static List<Guid> IdsOf(DocumentCommand insert)
    {
        var command = new BsonReader(insert.Bytes.Span);
        var ids = new List<Guid>();
        command.Find("documents"u8);
        var documents = new BsonReader(command.Document());
        while (documents.Next())
        {
            var document = new BsonReader(documents.Document());
            document.Find("_id"u8);
            ids.Add(document.Guid());
        }

        return ids;
    }

    private sealed class Database(RecordedServer server, string name) : IDocumentDatabase
    {
        public string Engine => "mongodb";

        public string Name => name;

        public bool HearsChanges => false;

        public IDocumentDatabase ForLeases => this;

        public Task<IReadOnlyList<DocumentReply>> RunAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken)
        {
            try
            {
                return Task.FromResult<IReadOnlyList<DocumentReply>>([.. commands.Select(server.Answer)]);
            }
            catch (DocumentCommandException e)
            {
                return Task.FromException<IReadOnlyList<DocumentReply>>(e);
            }
        }

        public Task DefineAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<bool> WriteAsync(IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task<IReadOnlyList<IReadOnlyList<DocumentReply>>> ReadSnapshotAsync(
            IReadOnlyList<DocumentCommand> commands, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task WaitForChangeAsync(TimeSpan maximum, CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task NotifyAsync(CancellationToken cancellationToken) => throw new NotSupportedException();

        public Task MaintainAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken) => throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}

namespace Serdica.Perf.Compliance;

/// <summary>
/// Answers a command by what was written down for it: for its verb, with the collection of a query, or for the first
/// stage of a pipeline. What is not written down is refused.
/// </summary>
internal sealed class RecordedServer(Dictionary<string, Func<BsonDocument>> replies, int refusal = DocumentErrors.CommandNotFound)
    : IMongoDbServer
{
    public List<string> Asked { get; } = [];

    public Task<BsonDocument> RunAsync(string database, BsonDocument command, CancellationToken cancellationToken)
    {
        var key = KeyOf(command);
        lock (Asked)
        {
            Asked.Add(key);
            return replies.TryGetValue(key, out var reply)
                ? Task.FromResult(reply())
                : Task.FromException<BsonDocument>(
                    new DocumentCommandException(refusal, $"not authorized on admin to execute command {key}", isTransient: refusal == 0)
                );
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>One page of a cursor with these documents.</summary>
    public static BsonDocument Page(params string[] documents) =>
        BsonDocument.Parse(
            $$"""{ "cursor": { "id": { "$numberLong": "0" }, "ns": "a.b", "firstBatch": [{{string.Join(',', documents)}}] }, "ok": 1.0 }"""
        );

    private static string KeyOf(BsonDocument command)
    {
        var verb = command.GetElement(0);
        if (!command.TryGetValue("pipeline", out var pipeline))
            return verb.Name == "find" ? $"find {verb.Value}" : verb.Name;
        var stage = pipeline[0].AsBsonDocument.GetElement(0).Name;
        return verb.Value == "oplog.rs" ? $"{stage} oplog.rs" : stage;
    }
}

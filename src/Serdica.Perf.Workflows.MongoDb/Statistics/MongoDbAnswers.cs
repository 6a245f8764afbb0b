namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What a server said about itself, or the sentence why it did not.</summary>
internal readonly record struct MongoDbAnswer(BsonDocument? Reply, string? Missing)
{
    /// <summary>The documents of a cursor; none where the answer is missing.</summary>
    public IEnumerable<BsonDocument> Documents => Reply is null ? [] : Reply["cursor"]["firstBatch"].AsBsonArray.Cast<BsonDocument>();
}

/// <summary>
/// Asks a server about itself. What it has not, or does not report to this user, is a sentence and no error. Counts what was
/// asked, so that it can be taken out of the server's own counts.
/// </summary>
internal sealed class MongoDbAnswers(IMongoDbServer server)
{
    private long _finds;
    private long _others;

    public long Finds => Interlocked.Read(ref _finds);

    public long Others => Interlocked.Read(ref _others);

    public async Task<MongoDbAnswer> AskAsync(
        string database,
        BsonDocument command,
        string what,
        string grant,
        CancellationToken cancellationToken
    )
    {
        Interlocked.Increment(ref command.Contains("find") ? ref _finds : ref _others);
        try
        {
            return new(await server.RunAsync(database, command, cancellationToken).ConfigureAwait(false), null);
        }
        catch (DocumentCommandException e) when (e.Code != 0 && !e.IsTransient)
        {
            return new(
                null,
                e.Code switch
                {
                    DocumentErrors.Unauthorized => $"This user may not run {what}: grant it {grant}.",
                    DocumentErrors.CommandNotFound or DocumentErrors.CommandNotSupported or DocumentErrors.UnknownStage =>
                        $"This server has no {what}.",
                    _ => $"The server refused {what}: {e.Message}",
                }
            );
        }
    }
}

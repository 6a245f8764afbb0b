namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Counters of a MongoDB server by <c>serverStatus</c>, of the whole server. DocumentDB has none of its own: there the
/// PostgreSQL beneath is asked.
/// </summary>
/// <param name="database">Belongs to the statistics from now on.</param>
public sealed class MongoDbStatistics(IDocumentDatabase database) : IBackendStatistics
{
    /// <inheritdoc/>
    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        try
        {
            return new(MongoDbFigures.Read(await ReadStatusAsync(database, cancellationToken).ConfigureAwait(false)))
            {
                WaitsMissing = "MongoDB does not tell what its operations waited for.",
                StatementsMissing = "MongoDB keeps no costs of statements without its profiler.",
            };
        }
        catch (DocumentCommandException e)
        {
            throw MongoDbErrors.Wrap(database.Engine, "tell its statistics", e);
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => database.DisposeAsync();

    internal static async Task<DocumentReply> ReadStatusAsync(IDocumentDatabase database, CancellationToken cancellationToken)
    {
        var writer = new BsonWriter();
        writer.Write("serverStatus"u8, 1);
        var replies = await database.RunAsync(
            [new DocumentCommand(DocumentOperation.ServerStatus, "", writer)], cancellationToken).ConfigureAwait(false);
        return replies[0];
    }
}

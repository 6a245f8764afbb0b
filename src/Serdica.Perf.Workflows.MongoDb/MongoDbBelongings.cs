namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Deletes what belongs to instances, but not them: signals, dedup keys, dead letters. An instance may have tens of thousands
/// of them, and a transaction may last 60 s on MongoDB: they go page by page, outside of any transaction.
/// </summary>
internal sealed class MongoDbBelongings(IDocumentDatabase database)
{
    /// <summary>Documents that one command deletes.</summary>
    private const int Page = 1_000;

    public async Task DeleteAsync(IReadOnlyCollection<Guid> instances, CancellationToken cancellationToken)
    {
        foreach (var collection in new[] { Collections.Signals, Collections.DedupKeys, Collections.DeadLetters })
        {
            while (await DeletePageAsync(collection, instances, cancellationToken).ConfigureAwait(false) == Page) { }
        }
    }

    private async Task<int> DeletePageAsync(string collection, IReadOnlyCollection<Guid> instances, CancellationToken cancellationToken)
    {
        var query = new DocumentQuery<MongoDB.Bson.BsonValue>(collection, static reader => Queries.Plain(reader)["_id"])
        {
            Filter = Queries.In("instance", instances),
            Limit = Page,
            Projection = Queries.Fields("_id"),
        };
        await database.ReadAsync([query], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
        if (query.Found.Count > 0)
            await database.DeleteAsync(collection, Queries.In("_id", query.Found), cancellationToken).ConfigureAwait(false);
        return query.Found.Count;
    }
}

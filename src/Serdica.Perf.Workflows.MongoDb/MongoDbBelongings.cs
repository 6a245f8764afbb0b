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
            DocumentQuery<BsonValue> page;
            do
            {
                page = new(collection, static reader => Queries.Plain(reader)["_id"])
                {
                    Filter = Queries.In("instance", instances),
                    Limit = Page,
                    Projection = Queries.Fields("_id"),
                };
                await database.ReadAsync([page], ReadLevel.Latest, cancellationToken).ConfigureAwait(false);
                if (page.Found.Count > 0)
                    await database.DeleteAsync(collection, Queries.In("_id", page.Found), cancellationToken).ConfigureAwait(false);
            } while (page.Found.Count == Page);
        }
    }
}

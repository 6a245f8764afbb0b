namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Claims as documents: the unique <c>_id</c> lets one process have each. A claim that a crash forgets is free again, and the
/// fence at the end finds it missing.
/// </summary>
internal static class ClaimDocuments
{
    public static StoredDocument Claim(Guid id, Guid token, DateTimeOffset until) =>
        new(writer =>
        {
            writer.Write("_id", id);
            writer.Write("token", token);
            writer.Write("until", until);
        });

    /// <summary>Gives claims back within the transaction that writes what they were taken for.</summary>
    public static DeleteDocuments Fence(IReadOnlyCollection<Guid> ids, Guid token) => new(Collections.Claims, Of(ids, token), ids.Count);

    public static BsonDocument Of(IReadOnlyCollection<Guid> ids, Guid token) => Queries.In("_id", ids).Add("token", Queries.Id(token));

    /// <summary>Gives claims back of which nothing was written.</summary>
    public static async Task ReleaseAsync(IDocumentDatabase database, IReadOnlyCollection<Guid> ids, Guid token)
    {
        if (ids.Count == 0)
            return;
        try
        {
            await database.DeleteAsync(Collections.Claims, Of(ids, token), CancellationToken.None).ConfigureAwait(false);
        }
        catch (DocumentCommandException)
        {
            // The connection is gone, perhaps for the reason of this release. The claims expire by themselves.
        }
    }
}

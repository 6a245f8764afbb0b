using MongoDB.Bson;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>Lets a test do something between a look and the claim that follows it, or between a read and the first write.</summary>
internal sealed class DatabaseWithHook(IDocumentDatabase inner, Func<Task>? beforeClaim = null, Func<Task>? beforeWrite = null)
    : IDocumentDatabase
{
    private Func<Task>? _beforeClaim = beforeClaim;
    private Func<Task>? _beforeWrite = beforeWrite;

    public string Engine => inner.Engine;

    public string Name => inner.Name;

    public bool HearsChanges => inner.HearsChanges;

    public IDocumentDatabase ForLeases => inner.ForLeases;

    /// <summary>The ids of all claims, in the order in which they were asked for.</summary>
    public List<Guid> Claimed { get; } = [];

    public async Task<IReadOnlyList<int>> ClaimAsync(
        IReadOnlyList<StoredDocument> claims,
        IReadOnlyList<DocumentQuery> queries,
        CancellationToken cancellationToken
    )
    {
        Claimed.AddRange(claims.Select(static claim => claim.ToBsonDocument()["_id"].ToGuid()));
        if (Interlocked.Exchange(ref _beforeClaim, null) is { } act)
            await act();
        return await inner.ClaimAsync(claims, queries, cancellationToken);
    }

    public Task DefineAsync(
        IReadOnlyList<string> collections,
        IReadOnlyList<(string Collection, string Field)> indexes,
        CancellationToken cancellationToken
    ) => inner.DefineAsync(collections, indexes, cancellationToken);

    public Task DropAsync(CancellationToken cancellationToken) => inner.DropAsync(cancellationToken);

    public Task ReadAsync(IReadOnlyList<DocumentQuery> queries, ReadLevel level, CancellationToken cancellationToken) =>
        inner.ReadAsync(queries, level, cancellationToken);

    public Task DeleteAsync(string collection, BsonDocument filter, CancellationToken cancellationToken) =>
        inner.DeleteAsync(collection, filter, cancellationToken);

    public async Task<bool> WriteAsync(IReadOnlyList<DocumentWrite> writes, CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _beforeWrite, null) is { } act)
            await act();
        return await inner.WriteAsync(writes, cancellationToken);
    }

    public Task ReadSnapshotAsync(IReadOnlyList<DocumentQuery> queries, CancellationToken cancellationToken) =>
        inner.ReadSnapshotAsync(queries, cancellationToken);

    public bool HearsCloses => inner.HearsCloses;

    public Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        inner.WaitForClosesAsync(maximum, cancellationToken);

    public Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        inner.NotifyClosesAsync(closed, cancellationToken);

    public Task WaitForChangeAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        inner.WaitForChangeAsync(maximum, cancellationToken);

    public Task NotifyAsync(CancellationToken cancellationToken) => inner.NotifyAsync(cancellationToken);

    public Task MaintainAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken) =>
        inner.MaintainAsync(collections, cancellationToken);

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}

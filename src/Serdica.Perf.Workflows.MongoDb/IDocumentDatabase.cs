namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// One database with collections of documents. All that the backend does goes through here. Implementations are safe for
/// concurrent use and throw <see cref="DocumentCommandException"/>.
/// </summary>
internal interface IDocumentDatabase : IAsyncDisposable
{
    /// <summary>Name in results and reports: <c>mongodb</c>, <c>documentdb</c>.</summary>
    string Engine { get; }

    string Name { get; }

    /// <summary><see cref="WaitForChangeAsync"/> hears of other processes; known for certain after <see cref="DefineAsync"/>.</summary>
    bool HearsChanges { get; }

    /// <summary>
    /// A second view of this database with connections of its own, so that leases are extended while everything else waits.
    /// It is disposed with this one.
    /// </summary>
    IDocumentDatabase ForLeases { get; }

    /// <summary>
    /// Creates collections, and indexes on single fields, that do not exist yet; the indexes are built when the call returns.
    /// Safe when several processes race.
    /// </summary>
    Task DefineAsync(
        IReadOnlyList<string> collections,
        IReadOnlyList<(string Collection, string Field)> indexes,
        CancellationToken cancellationToken
    );

    Task DropAsync(CancellationToken cancellationToken);

    /// <summary>Asks several queries in one round trip. Each finds what one reply of the server holds, which is 16 MB.</summary>
    Task ReadAsync(IReadOnlyList<DocumentQuery> queries, ReadLevel level, CancellationToken cancellationToken);

    /// <summary>
    /// Inserts claims, each by itself, without waiting for the log or for other members; then asks the queries, at
    /// <see cref="ReadLevel.Latest"/>.
    /// </summary>
    /// <returns>The places of the claims whose key somebody else has, or is just giving back.</returns>
    Task<IReadOnlyList<int>> ClaimAsync(
        IReadOnlyList<StoredDocument> claims,
        IReadOnlyList<DocumentQuery> queries,
        CancellationToken cancellationToken
    );

    /// <summary>Deletes what the filter finds. Claims go without waiting for the log or for other members.</summary>
    Task DeleteAsync(string collection, BsonDocument filter, CancellationToken cancellationToken);

    /// <summary>How often transactions that the server had undone for a conflict were tried again, over this object.</summary>
    long Retries { get; }

    /// <summary>Writes all or nothing, durable when the call returns. Conflicts are tried again.</summary>
    /// <returns>False: a write was refused, and nothing was written.</returns>
    Task<bool> WriteAsync(IReadOnlyList<DocumentWrite> writes, CancellationToken cancellationToken);

    /// <summary>Asks queries that all see the database as it was at one moment, and reads everything that they find.</summary>
    Task ReadSnapshotAsync(IReadOnlyList<DocumentQuery> queries, CancellationToken cancellationToken);

    /// <summary>Completes at a hint of <see cref="NotifyAsync"/> or when <paramref name="maximum"/> has passed.</summary>
    Task WaitForChangeAsync(TimeSpan maximum, CancellationToken cancellationToken);

    /// <inheritdoc cref="IWorkflowBackend.IsFirst"/>
    bool? IsFirst => null;

    Task NotifyAsync(CancellationToken cancellationToken);

    /// <inheritdoc cref="IWorkflowBackend.NotifyAllAsync"/>
    Task NotifyAllAsync(CancellationToken cancellationToken) => NotifyAsync(cancellationToken);

    /// <summary><see cref="WaitForClosesAsync"/> hears of other processes.</summary>
    bool HearsCloses => false;

    /// <inheritdoc cref="IWorkflowBackend.WaitForClosesAsync"/>
    Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        throw new NotSupportedException($"{Engine} has no hints of closes.");

    /// <inheritdoc cref="IWorkflowBackend.NotifyClosesAsync"/>
    Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        throw new NotSupportedException($"{Engine} has no hints of closes.");

    /// <summary>What the server needs to stay fast while these collections turn over; nothing where it sees to it itself.</summary>
    Task MaintainAsync(IReadOnlyList<string> collections, CancellationToken cancellationToken);
}

/// <summary>Which writes a query sees. DocumentDB has one server, whose commits are kept at once: there both are the same.</summary>
internal enum ReadLevel
{
    /// <summary>
    /// What a majority of the servers has: what is reported to callers must not be undone when another server takes over.
    /// </summary>
    Kept,

    /// <summary>
    /// All that the primary has. For what is read to be written upon: a majority is some milliseconds behind, in which
    /// claimed signals and changed instances would be met again as they were. When such a write is kept by a majority,
    /// so is all that the primary had before it.
    /// </summary>
    Latest,
}

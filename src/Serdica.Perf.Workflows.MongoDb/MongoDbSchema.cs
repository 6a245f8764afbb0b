namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Creates the collections and their indexes. Each step may be repeated, and be taken by several processes at once; the
/// version is written last.
/// </summary>
internal sealed class MongoDbSchema(IDocumentDatabase database)
{
    private const int Version = 1;

    /// <summary>What is looked up by something else than <c>_id</c>.</summary>
    private static readonly (string Collection, string Field)[] Indexes =
    [
        // Claims, withdrawal, extension of leases, purge.
        (Collections.Signals, "instance"),
        // Purge.
        (Collections.DedupKeys, "instance"),
        (Collections.DeadLetters, "instance"),
        // Requeue.
        (Collections.DeadLetters, "signal"),
    ];

    public async Task InitializeAsync(CancellationToken cancellationToken)
    {
        var version = await ReadVersionAsync(cancellationToken).ConfigureAwait(false);
        if (version > Version)
        {
            throw new InvalidOperationException(
                $"Database '{database.Name}' has version {version}, and this build knows {Version}: it was made by a newer build. "
                    + $"Use that one, or another database."
            );
        }

        // Explicitly, for a collection that comes into being within a transaction makes others wait.
        await database
            .DefineAsync(version is null ? Collections.All : [], version is null ? Indexes : [], cancellationToken)
            .ConfigureAwait(false);

        // When another process was quicker it is refused, which is as good.
        if (version is null)
            await database
                .WriteAsync([new InsertDocuments(Collections.Store, [new(WriteVersion)])], cancellationToken)
                .ConfigureAwait(false);
    }

    private static void WriteVersion(IBsonWriter writer)
    {
        writer.WriteInt32("_id", 0);
        writer.WriteInt32("version", Version);
    }

    private async Task<int?> ReadVersionAsync(CancellationToken cancellationToken)
    {
        var found = await database.FindAsync(Queries.Clock(), cancellationToken).ConfigureAwait(false);
        return found is [var store, ..] ? store["version"].ToInt32() : null;
    }
}

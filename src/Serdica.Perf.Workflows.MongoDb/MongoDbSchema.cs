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
        // Withdrawal, extension of leases, purge.
        (Collections.Signals, "instance"),

        // Purge.
        (Collections.DedupKeys, "instance"),
        (Collections.DeadLetters, "instance"),

        // Requeue.
        (Collections.DeadLetters, "signal"),
    ];

    public async Task InitializeAsync(CancellationToken cancellationToken)
    {
        if (await ReadVersionAsync(cancellationToken).ConfigureAwait(false) is { } version)
        {
            if (version > Version)
            {
                throw new InvalidOperationException(
                    $"Database '{database.Name}' has version {version}, and this build knows {Version}: it was made by a newer build. Use that one, or another database.");
            }

            return;
        }

        // Explicitly, for a collection that comes into being within a transaction makes others wait.
        await database.DefineAsync(
            [.. Collections.All.Select(Create), .. Indexes.Select(static index => Index(index.Collection, index.Field))], cancellationToken).ConfigureAwait(false);
        await database.WriteAsync([VersionDocument()], cancellationToken).ConfigureAwait(false);
    }

    public async Task DropAsync(CancellationToken cancellationToken)
    {
        var writer = new BsonWriter();
        writer.Write("dropDatabase"u8, 1);
        await database.RunAsync([new DocumentCommand(DocumentOperation.DropDatabase, "", writer)], cancellationToken).ConfigureAwait(false);
    }

    private async Task<int?> ReadVersionAsync(CancellationToken cancellationToken)
    {
        var replies = await database.RunAsync([Commands.ReadClock()], cancellationToken).ConfigureAwait(false);
        var documents = replies[0].Documents();
        if (!documents.Next())
            return null;
        var document = new BsonReader(documents.Document());
        return document.Find("version"u8) ? document.Int32() : null;
    }

    private static DocumentCommand Create(string collection)
    {
        var writer = new BsonWriter();
        writer.Write("create"u8, collection);
        return new DocumentCommand(DocumentOperation.Create, collection, writer);
    }

    private static DocumentCommand Index(string collection, string field)
    {
        var writer = new BsonWriter();
        writer.Write("createIndexes"u8, collection);
        writer.BeginArray("indexes"u8);
        writer.BeginDocument();
        writer.BeginDocument("key"u8);
        writer.Write(System.Text.Encoding.UTF8.GetBytes(field), 1);
        writer.End();
        writer.Write("name"u8, field);
        writer.End();
        writer.End();
        return new DocumentCommand(DocumentOperation.CreateIndexes, collection, writer);
    }

    /// <summary>When another process was quicker it is refused, which is as good.</summary>
    private static DocumentCommand VersionDocument()
    {
        var writer = new BsonWriter();
        writer.Write("insert"u8, Collections.Store);
        writer.BeginArray("documents"u8);
        writer.BeginDocument();
        writer.Write("_id"u8, 0);
        writer.Write("version"u8, Version);
        writer.End();
        writer.End();
        return new DocumentCommand(DocumentOperation.Insert, Collections.Store, writer);
    }
}

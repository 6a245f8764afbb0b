namespace Serdica.Perf.Compliance;

/// <summary>A document database of one test, dropped at its end.</summary>
internal sealed class DocumentTestSchema(Func<IDocumentDatabase> open, int slotsPerLook = Slots.Count) : IBackendSchema
{
    /// <value>The connection string of the PostgreSQL in which DocumentDB runs; null on the stand-in.</value>
    public string? ConnectionString { get; init; }

    /// <summary>A look costs many times what it does in tables.</summary>
    public int Rounds => 60;

    public IWorkflowBackend Connect() => new MongoDbWorkflowBackend(open(), slotsPerLook);

    /// <summary>The database itself.</summary>
    public IDocumentDatabase Open() => open();

    /// <value>Drops the database without a backend, which would open connections for it; null where only a backend can.</value>
    public Func<Task>? DropAsync { get; init; }

    public async ValueTask DisposeAsync()
    {
        if (DropAsync is not null)
        {
            await DropAsync();
            return;
        }

        await using var backend = new MongoDbWorkflowBackend(open());
        await backend.DropDatabaseAsync(CancellationToken.None);
    }
}

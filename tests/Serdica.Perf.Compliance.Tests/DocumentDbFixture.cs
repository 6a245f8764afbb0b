namespace Serdica.Perf.Compliance;

/// <summary>A server with DocumentDB; one database for each test.</summary>
public sealed class DocumentDbFixture : SharedDocumentDb, IBackendFixture
{
    /// <summary>In seconds: 20 MB in one call take a busy disk longer than an application would wait.</summary>
    private const int Patience = 30;

    private readonly SharedConnections _shared = new();
    private readonly KeptStores _kept = new();

    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        SchemaAsync(borrows: false, Slots.Count, cancellationToken);

    public Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) =>
        SchemaAsync(borrows: true, Slots.Count, cancellationToken);

    /// <summary>A database whose backends look at this many slots at once; skips the test when this machine has no server.</summary>
    internal async Task<IBackendSchema> SchemaAsync(bool borrows, int slotsPerLook, CancellationToken cancellationToken)
    {
        var connectionString = (await ServerAsync(cancellationToken)).ConnectionString;
        var database = borrows ? _kept.Take(NewName) : NewName();
        Func<string, NpgsqlDataSource>? shared = borrows ? _shared.Of : null;
        return new DocumentTestSchema(() => new DocumentDbDatabase(connectionString, database, shared, Patience), slotsPerLook)
        {
            ConnectionString = connectionString,
            DropAsync = () =>
                borrows
                    ? _kept.KeepAsync(database, _shared.ExecuteAsync(connectionString, StandInCommands.Emptying(database)))
                    : _shared.ExecuteAsync(connectionString, $"select documentdb_api.drop_database('{database}')"),
        };
    }

    private static string NewName() => $"compliance_{Guid.NewGuid():n}";

    public override async ValueTask DisposeAsync()
    {
        await _shared.DisposeAsync();
        await base.DisposeAsync();
    }
}

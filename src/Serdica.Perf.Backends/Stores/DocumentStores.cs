using MongoDB.Bson;
using MongoDB.Bson.IO;

namespace Serdica.Perf.Backends.Stores;

/// <summary>Stores as document databases; the marker is the one document of a collection of its own.</summary>
internal sealed class DocumentStores(
    string engine,
    Func<string, IDocumentDatabase> open,
    Func<CancellationToken, Task<IReadOnlyList<string>>> listAsync
) : IStoreServer
{
    public const string Prefix = PostgreSqlStores.Prefix;

    private const string Collection = "made_by";

    private readonly DriverErrors _errors = MongoDbErrors.Of(engine);

    public Task MakeAsync(string name, StoreMarker marker) => UseAsync("make a database", name, async database =>
        {
            await database.DefineAsync([Collection], [], CancellationToken.None);
            return await database.WriteAsync([Insert(marker)], CancellationToken.None);
        });

    /// <summary>Where the old marker is gone, so is the store, and nothing is written.</summary>
    public Task RenewAsync(string name, StoreMarker marker) =>
        UseAsync("mark its database", name, database =>
            database.WriteAsync([new DeleteDocuments(Collection, new("_id", 0), Expected: 1), Insert(marker)], CancellationToken.None)
        );

    public Task<IReadOnlyList<FoundStore>> FindAsync(CancellationToken cancellationToken) =>
        _errors.WrapAsync<IReadOnlyList<FoundStore>>("list its databases", async () =>
        {
            var found = new List<FoundStore>();
            foreach (var name in await listAsync(cancellationToken))
                found.Add(new(name, await ReadAsync(name, cancellationToken)));
            return found;
        });

    public async Task DropAsync(string name, CancellationToken cancellationToken)
    {
        await using (var backend = new MongoDbWorkflowBackend(open(name)))
            await backend.DropDatabaseAsync(cancellationToken);
    }

    private Task<StoreMarker?> ReadAsync(string name, CancellationToken cancellationToken) =>
        UseAsync("read a marker", name, async database =>
        {
            var markers = new DocumentQuery<BsonDocument>(Collection, Queries.Plain);
            await database.ReadAsync([markers], ReadLevel.Latest, cancellationToken);
            return markers.Found is [var found, ..] && found.GetValue("marker", BsonNull.Value) is BsonString marker
                ? StoreMarker.Parse(marker.Value)
                : null;
        });

    private Task<T> UseAsync<T>(string operation, string name, Func<IDocumentDatabase, Task<T>> use) =>
        _errors.WrapAsync(operation, async () =>
        {
            await using (var database = open(name))
                return await use(database);
        });

    private static InsertDocuments Insert(StoreMarker marker) =>
        new(
            Collection,
            [
                new(writer =>
                {
                    writer.WriteInt32("_id", 0);
                    writer.WriteString("marker", marker.ToString());
                }),
            ]
        );
}

namespace Serdica.Perf.Compliance;

/// <summary>The adapter over <c>MongoDB.Driver</c>, on the stand-in; one database for each test.</summary>
public sealed class MongoDriverFixture : SharedDocumentDb, IBackendFixture
{
    /// <summary>Definitions run one after the other, and one that waits for its turn on a busy machine is no error.</summary>
    internal static readonly string Patient = $"&socketTimeoutMS={HangGuard.Limit.TotalMilliseconds}";

    private readonly ConcurrentDictionary<int, Lazy<StandIn>> _servers = new();

    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        SchemaAsync(borrows: false, StandInReplies.WireVersionOf80, cancellationToken);

    public Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) =>
        SchemaAsync(borrows: true, StandInReplies.WireVersionOf80, cancellationToken);

    internal async Task<IBackendSchema> SchemaAsync(bool borrows, int wireVersion, CancellationToken cancellationToken)
    {
        var documentDb = (await ServerAsync(cancellationToken)).ConnectionString;
        var (server, kept) = _servers.GetOrAdd(wireVersion, version => new(() => new(new(documentDb, version), new()))).Value;
        var database = borrows ? kept.Take(NewName) : NewName();
        return new DocumentTestSchema(() => new MongoDriverDatabase(server.ConnectionString + Patient, database))
        {
            DropAsync = borrows ? () => kept.KeepAsync(database, server.Commands.EmptyAsync(database)) : null,
        };
    }

    /// <summary>A stand-in of the caller's own, who disposes it.</summary>
    internal async Task<(MongoStandInServer Server, string ConnectionString)> ServeAsync(
        CancellationToken cancellationToken,
        int wireVersion = StandInReplies.WireVersionOf80
    )
    {
        var server = new MongoStandInServer((await ServerAsync(cancellationToken)).ConnectionString, wireVersion);
        return (server, server.ConnectionString);
    }

    private static string NewName() => $"driver_{Guid.NewGuid():n}";

    public override async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values)
            await server.Value.Server.DisposeAsync();
        await base.DisposeAsync();
    }

    /// <param name="Server">It holds the snapshots of its databases.</param>
    private sealed record StandIn(MongoStandInServer Server, KeptStores Kept);
}

/// <summary>A server of version 7.0, which has no writes to several collections in one command.</summary>
internal sealed class MongoDriver70Fixture(MongoDriverFixture server) : IBackendFixture
{
    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        server.SchemaAsync(borrows: false, StandInReplies.WireVersionOf70, cancellationToken);

    public Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) =>
        server.SchemaAsync(borrows: true, StandInReplies.WireVersionOf70, cancellationToken);
}

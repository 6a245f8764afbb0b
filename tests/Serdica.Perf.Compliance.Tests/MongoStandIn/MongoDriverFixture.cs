using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>The adapter over <c>MongoDB.Driver</c>, on the stand-in; one database for each test.</summary>
public sealed class MongoDriverFixture() : ServerFixture(DatabaseEnvironment.DocumentDb, DocumentDbServers.ProvisionAsync), IBackendFixture
{
    /// <summary>Definitions run one after the other, and one that waits for its turn on a busy machine is no error.</summary>
    internal static readonly string Patient = $"&socketTimeoutMS={HangGuard.Limit.TotalMilliseconds}";

    private readonly ConcurrentDictionary<int, Lazy<MongoStandInServer>> _servers = new();

    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        CreateSchemaAsync(StandInReplies.WireVersionOf80, cancellationToken);

    /// <param name="wireVersion">Of the server that the stand-in stands for.</param>
    /// <param name="cancellationToken">Gives up.</param>
    internal async Task<IBackendSchema> CreateSchemaAsync(int wireVersion, CancellationToken cancellationToken)
    {
        var documentDb = (await ServerAsync(cancellationToken)).ConnectionString;
        var server = _servers.GetOrAdd(wireVersion, version => new(() => new(documentDb, version))).Value;
        var database = $"driver_{Guid.NewGuid():n}";
        return new DocumentTestSchema(() => new MongoDriverDatabase(server.ConnectionString + Patient, database));
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

    public override async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values)
            await server.Value.DisposeAsync();
        await base.DisposeAsync();
    }
}

/// <summary>A server of version 7.0, which has no writes to several collections in one command.</summary>
internal sealed class MongoDriver70Fixture(MongoDriverFixture server) : IBackendFixture
{
    public Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        server.CreateSchemaAsync(StandInReplies.WireVersionOf70, cancellationToken);
}

using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Compliance;

/// <summary>The adapter over <c>MongoDB.Driver</c>, on the stand-in; one database for each test.</summary>
public sealed class MongoDriverFixture()
    : ServerFixture(DatabaseEnvironment.DocumentDb, DocumentDbServers.ProvisionAsync), IBackendFixture
{
    private readonly Lock _gate = new();
    private MongoStandInServer? _server;

    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken)
    {
        var connectionString = Serve(await ServerAsync(cancellationToken));
        var database = $"driver_{Guid.NewGuid():n}";
        return new DocumentTestSchema(() => new MongoDriverDatabase(connectionString, database), new MongoDbBackendOptions());
    }

    /// <summary>A stand-in of the caller's own, who disposes it.</summary>
    internal async Task<(MongoStandInServer Server, string ConnectionString)> ServeAsync(CancellationToken cancellationToken)
    {
        var server = new MongoStandInServer((await ServerAsync(cancellationToken)).ConnectionString);
        return (server, server.ConnectionString);
    }

    public override async ValueTask DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
        await base.DisposeAsync();
    }

    private string Serve(DatabaseServer server)
    {
        lock (_gate)
            return (_server ??= new MongoStandInServer(server.ConnectionString)).ConnectionString;
    }
}

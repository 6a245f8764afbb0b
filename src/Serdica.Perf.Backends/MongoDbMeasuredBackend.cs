using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Backends;

/// <summary>
/// An external MongoDB server, or one in a container. Another product that accepts MongoDB's commands is measured under a
/// name of its own, so that nobody mistakes one for the other.
/// </summary>
internal sealed class MongoDbMeasuredBackend : IMeasuredBackend
{
    private static readonly ServerSearch Search = new("MongoDB", DatabaseEnvironment.MongoDb, MongoDriver.NoServer, MongoDbServers.ProvisionAsync);

    private readonly NamedServer _server;
    private readonly Func<string, string, IDocumentDatabase> _open;

    private MongoDbMeasuredBackend(NamedServer server, Func<string, string, IDocumentDatabase> open, MongoDbServerDescription description)
    {
        _server = server;
        _open = open;
        Description = server.Describe(new()
        {
            Backend = description.IsMongoDb ? BackendNames.MongoDb : $"{BackendNames.MongoDb}-compatible",
            Product = description.Product,
            Version = description.Version,
            Source = server.Source,
            Durability = DurabilityOf(description, server.Container),
            Settings = description.Settings,
            Capabilities = ["wake-up of other processes: change stream"],
        });
    }

    public DatabaseDescription Description { get; }

    public string? DataFolder => null;

    /// <summary>
    /// Connects to the server that SERDICA_PERF_MONGODB names, or starts one in a container; without driver or server
    /// reports that in one sentence.
    /// </summary>
    public static async Task<BackendProvision> ProvideAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        if (!MongoDriver.TryFind(out var open))
            return new BackendProvision.Unavailable(MongoDriver.Missing);

        var (server, reason) = await NamedServer.FindAsync(Search, request, logger, cancellationToken).ConfigureAwait(false);
        if (server is null)
            return new BackendProvision.Unavailable(reason!);

        var provision = await ConnectAsync(server, (name, application) => open(server.ConnectionString, name, application), cancellationToken).ConfigureAwait(false);
        if (provision is not BackendProvision.Provided)
            await server.DisposeAsync().ConfigureAwait(false);
        return provision;
    }

    public Task<ServerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => _server.ReadUsageAsync(cancellationToken);

    public Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) => _server.ProbeFsyncAsync(cancellationToken);

    public IScenarioStore CreateStore() => new MongoDbStore(Description.Backend, _open);

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    private static async Task<BackendProvision> ConnectAsync(
        NamedServer server, Func<string, string, IDocumentDatabase> open, CancellationToken cancellationToken)
    {
        try
        {
            var database = open("admin", MongoDriver.Application);
            await using (database.ConfigureAwait(false))
            {
                var description = await MongoDbServerDescription.ReadAsync(database, cancellationToken).ConfigureAwait(false);
                return description.HasTransactions
                    ? new BackendProvision.Provided(new MongoDbMeasuredBackend(server, open, description))
                    : new BackendProvision.Unavailable(
                        "The MongoDB server is standalone, and transactions need a replica set: "
                        + "start it with --replSet rs0 and run rs.initiate() once.");
            }
        }
        catch (Exception e) when (e is ArgumentException or WorkflowBackendException)
        {
            return new BackendProvision.Unavailable(e.Message);
        }
    }

    /// <summary>Each commit asks for majority and journal; what remains is where the journal lies.</summary>
    private static Durability DurabilityOf(MongoDbServerDescription description, DatabaseServer? container) => description.IsPersistent switch
    {
        null => Durability.Unknown,
        false => Durability.NotDurable,
        true => container?.Description.Durability is null or DurabilityClass.Durable ? Durability.Durable : Durability.NotDurable,
    };
}

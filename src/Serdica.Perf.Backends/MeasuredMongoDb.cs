using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases;
using Serdica.Perf.Databases.Sources;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Backends;

/// <summary>
/// MongoDB as a <see cref="NamedMeasuredBackend"/>. Another product that accepts MongoDB's commands is measured under a name
/// of its own, so that nobody mistakes one for the other.
/// </summary>
internal static class MeasuredMongoDb
{
    private static readonly ServerSearch Search = new(
        "MongoDB", DatabaseEnvironment.MongoDb, MongoDriver.NoServer, MongoDbServers.ProvisionAsync);

    /// <inheritdoc cref="NamedMeasuredBackend.ProvideAsync"/>
    public static async Task<BackendProvision> ProvideAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken) =>
        MongoDriver.TryFind(out var open)
            ? await NamedMeasuredBackend.ProvideAsync(
                Search, request, logger,
                (server, token) => ConnectAsync(server, (name, application) => open(server.ConnectionString, name, application), token),
                cancellationToken).ConfigureAwait(false)
            : new BackendProvision.Unavailable(MongoDriver.Missing);

    private static async Task<BackendProvision> ConnectAsync(
        NamedServer server, Func<string, string, IDocumentDatabase> open, CancellationToken cancellationToken)
    {
        var database = open("admin", MongoDriver.Application);
        await using (database.ConfigureAwait(false))
        {
            var description = await MongoDbServerDescription.ReadAsync(database, cancellationToken).ConfigureAwait(false);
            if (!description.HasTransactions)
            {
                return new BackendProvision.Unavailable(
                    "The MongoDB server is standalone, and transactions need a replica set: "
                    + "start it with --replSet rs0 and run rs.initiate() once.");
            }

            var backend = description.IsMongoDb ? BackendNames.MongoDb : $"{BackendNames.MongoDb}-compatible";
            return new BackendProvision.Provided(new NamedMeasuredBackend(
                server,
                new()
                {
                    Backend = backend,
                    Product = description.Product,
                    Version = description.Version,
                    Source = server.Source,
                    Durability = DurabilityOf(description, server.Container),
                    Settings = description.Settings,
                    Capabilities = ["wake-up of other processes: change stream"],
                },
                () => new MongoDbStore(backend, open)));
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

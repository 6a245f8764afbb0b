namespace Serdica.Perf.Backends;

/// <summary>
/// MongoDB as a <see cref="NamedMeasuredBackend"/>. Another product that accepts MongoDB's commands is measured under a name
/// of its own, so that nobody mistakes one for the other.
/// </summary>
internal static class MeasuredMongoDb
{
    private static readonly ServerSearch Search = new(
        "MongoDB",
        DatabaseEnvironment.MongoDb,
        MongoDriver.NoServer,
        DatabaseSources.Of(DatabaseEnvironment.MongoDb).ProvisionAsync
    );

    /// <inheritdoc cref="NamedMeasuredBackend.ProvideAsync"/>
    public static Task<BackendProvision> ProvideAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken) =>
        NamedMeasuredBackend.ProvideAsync(Search, request, logger, ConnectAsync, cancellationToken);

    private static async Task<BackendProvision> ConnectAsync(NamedServer server, CancellationToken cancellationToken)
    {
        var description = await MongoDbServerDescription.ReadAsync(server.ConnectionString, cancellationToken);
        if (description.IsRouter)
            return new BackendProvision.Unavailable(MongoDriver.NoRouter);
        if (!description.HasTransactions)
        {
            return new BackendProvision.Unavailable(
                "The MongoDB server is standalone, and transactions need a replica set: "
                    + "start it with --replSet rs0 and run rs.initiate() once."
            );
        }

        var hearsChanges = await HearsChangesAsync(server.ConnectionString, cancellationToken);
        var backend = description.IsMongoDb ? BackendNames.MongoDb : $"{BackendNames.MongoDb}-compatible";
        return new BackendProvision.Provided(
            new NamedMeasuredBackend(
                server,
                new()
                {
                    Backend = backend,
                    Product = description.Product,
                    Version = description.Version,
                    Source = server.Source,
                    Durability = DurabilityOf(description, server.Container),
                    Settings = description.Settings,
                    Capabilities =
                    [
                        "wake-up of other processes: "
                            + (hearsChanges ? "change stream" : "polling, for the server refuses change streams"),
                    ],
                },
                run => DocumentStore.MakeAsync(backend, server.ConnectionString, run)
            )
        );
    }

    /// <summary>Asks as each store does when it is opened, of one that does not exist: nothing is created.</summary>
    private static Task<bool> HearsChangesAsync(string connectionString, CancellationToken cancellationToken) =>
        MongoDbErrors
            .Of(BackendNames.MongoDb)
            .WrapAsync("say whether it has change streams", async () =>
            {
                await using (var database = new MongoDriverDatabase(connectionString, HeldStore.NewName(DocumentStores.Prefix)))
                {
                    await database.DefineAsync([], [], cancellationToken);
                    return database.HearsChanges;
                }
            });

    /// <summary>Each commit asks for majority and journal; what remains is where the journal lies.</summary>
    internal static Durability DurabilityOf(MongoDbServerDescription description, DatabaseServer? container) =>
        description.IsPersistent switch
        {
            null => Durability.Unknown,
            false => Durability.NotDurable,
            true => container?.Description.Durability is null or DurabilityClass.Durable ? Durability.Durable : Durability.NotDurable,
        };
}

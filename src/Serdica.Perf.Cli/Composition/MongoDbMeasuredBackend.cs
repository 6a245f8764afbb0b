using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Workflows;
using Serdica.Perf.Workflows.MongoDb;

namespace Serdica.Perf.Cli.Composition;

/// <summary>A MongoDB server that somebody else runs.</summary>
internal sealed class MongoDbMeasuredBackend : IMeasuredBackend
{
    private readonly Func<string, IDocumentDatabase> _open;

    private MongoDbMeasuredBackend(string connectionString, Func<string, IDocumentDatabase> open, MongoDbServerDescription description)
    {
        _open = open;
        Description = new()
        {
            Backend = BackendNames.MongoDb,
            Product = "MongoDB",
            Version = description.Version,
            Source = DatabaseSourceKind.External.ToString().ToLowerInvariant(),
            Connection = connectionString,
            Durability = description.IsPersistent switch
            {
                true => Durability.Durable,
                false => Durability.NotDurable,
                null => Durability.Unknown,
            },
            Settings = description.Settings,
            Capabilities = ["wake-up of other processes: change stream"],
        };
    }

    public DatabaseDescription Description { get; }

    public string? DataFolder => null;

    /// <summary>Connects to the server that SERDICA_PERF_MONGODB names; without driver or server says so in one sentence.</summary>
    public static async Task<BackendProvision> ProvideAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        if (!MongoDriver.TryFind(out var open))
            return new BackendProvision.Unavailable(MongoDriver.Missing);
        if (request.Source is { } source and not DatabaseSourceKind.External)
            return new BackendProvision.Unavailable($"MongoDB does not come from '{source.ToString().ToLowerInvariant()}' in this build: set {DatabaseEnvironment.SourceVariable(DatabaseEnvironment.MongoDb)} to external.");
        if (request.ConnectionString is not { } connectionString)
            return new BackendProvision.Unavailable(MongoDriver.NoServer);

        try
        {
            var database = open(connectionString, "admin");
            await using (database.ConfigureAwait(false))
            {
                var description = await MongoDbServerDescription.ReadAsync(database, cancellationToken).ConfigureAwait(false);
                return description.HasTransactions
                    ? new BackendProvision.Provided(new MongoDbMeasuredBackend(connectionString, name => open(connectionString, name), description))
                    : new BackendProvision.Unavailable("The MongoDB server stands alone, and transactions need a replica set: start it with --replSet rs0 and run rs.initiate() once.");
            }
        }
        catch (Exception e) when (e is ArgumentException or WorkflowBackendException)
        {
            return new BackendProvision.Unavailable(e.Message);
        }
    }

    public IScenarioStore CreateStore() => new MongoDbStore(_open);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

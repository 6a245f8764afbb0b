using Serdica.Perf.Analysis.Capacity;

namespace Serdica.Perf.Backends;

/// <summary>A database server, wherever it came from.</summary>
/// <param name="server">Stopped with this object, when the suite has started it.</param>
/// <param name="createStoreAsync">Makes a store that no other scenario uses, for the run with this id.</param>
internal sealed class ServerMeasuredBackend(
    string backend,
    DatabaseServer server,
    Func<DatabaseServer, string, Task<IScenarioStore>> createStoreAsync
) : IMeasuredBackend
{
    public DatabaseDescription Description { get; } = Describe(backend, server);

    public string? DataFolder => server.DataFolder;

    public Task<ServerUsage?> ReadUsageAsync(CancellationToken cancellationToken) =>
        ServerFigures.ReadUsageAsync(server, cancellationToken);

    public Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) =>
        ServerFigures.ProbeFsyncAsync(server, cancellationToken);

    /// <summary>What another process of the suite must find in its environment to use the same server; it holds the password.</summary>
    public IReadOnlyDictionary<string, string> VariablesForOthers => DatabaseEnvironment.HandOver(backend, server);

    public Task<IScenarioStore> CreateStoreAsync(string run) => createStoreAsync(server, run);

    public ValueTask DisposeAsync() => server.DisposeAsync();

    private static IEnumerable<KeyValuePair<string, string>> Binding(ServerDescription description) =>
        description.BoundProcessors is { } processors
            ? [new(ServerSizes.BoundProcessors, processors.ToString(CultureInfo.InvariantCulture))]
            : [];

    internal static DatabaseDescription Describe(string backend, DatabaseServer server)
    {
        var description = server.Description;
        return new()
        {
            Backend = backend,
            Product = description.Product,
            Version = description.Version,
            Source = description.Source.ToString().ToLowerInvariant(),
            Connection = server.ConnectionString,
            Durability = description.Durability switch
            {
                DurabilityClass.Durable => Durability.Durable,
                DurabilityClass.LossOnCrash => Durability.LossOnCrash,
                _ => Durability.NotDurable,
            },
            DataFileSystem = description.FileSystem,
            Image = description.Container?.Image,
            Settings = description
                .DurabilitySettings.Concat(description.Settings)
                .Concat(ContainerSettings.Of(description.Container))
                .Concat(Binding(description))
                .DistinctBy(setting => setting.Key)
                .ToDictionary(setting => setting.Key, setting => setting.Value),
            Capabilities = ["wake-up of other processes: LISTEN and NOTIFY"],
        };
    }
}

using Serdica.Perf.Databases.Containers;
using Serdica.Perf.Databases.Containers.Modules;

namespace Serdica.Perf.Databases.Sources;

/// <summary>
/// Provides MongoDB servers in containers. Servers of other people are named by a connection string, and looked at by whoever
/// has the driver.
/// </summary>
internal static class MongoDbServers
{
    private static readonly MongoDbModule Module = new();
    private static readonly DatabaseSources Sources = new(Module.Backend, Module.Product, new ContainerSource(Module));

    /// <inheritdoc cref="PostgreSqlServers.ProvisionAsync"/>
    public static Task<ProvisionOutcome> ProvisionAsync(
        DatabaseRequest request,
        ILogger logger,
        CancellationToken cancellationToken = default
    ) => Sources.ProvisionAsync(request, logger, cancellationToken);

    /// <inheritdoc cref="PostgreSqlServers.InspectAsync"/>
    public static Task<IReadOnlyList<SourceFinding>> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken = default) =>
        Sources.InspectAsync(request, cancellationToken);
}

using Serdica.Perf.Databases.External;
using Serdica.Perf.Databases.Local;

namespace Serdica.Perf.Databases.Sources;

/// <summary>Provides Citus clusters. The connection string is Npgsql's and leads to the coordinator.</summary>
internal static class CitusServers
{
    private static readonly Citus Flavour = new();

    private static readonly DatabaseSources Sources = new(
        Flavour.Backend,
        Flavour.Product,
        new ExternalPostgreSql(Flavour),
        new LocalCitus(Flavour)
    );

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

using Serdica.Perf.Databases.Containers.Modules;

namespace Serdica.Perf.Databases.Sources;

/// <summary>
/// Provides DocumentDB servers: PostgreSQL with the extension <c>documentdb</c>, which takes MongoDB's commands by SQL.
/// The connection string is Npgsql's and leads to a database that has the extension.
/// </summary>
internal static class DocumentDbServers
{
    private static readonly DocumentDb Flavour = new();
    private static readonly DatabaseSources Sources = DatabaseSources.Of(Flavour, new DocumentDbModule(Flavour));

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

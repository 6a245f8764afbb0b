using Serdica.Perf.Databases.Containers.Modules;

namespace Serdica.Perf.Databases.Sources;

/// <summary>Provides PostgreSQL servers.</summary>
internal static class PostgreSqlServers
{
    private static readonly StandardPostgreSql Flavour = new();
    private static readonly DatabaseSources Sources = DatabaseSources.Of(Flavour, new PostgreSqlModule(Flavour));

    /// <summary>
    /// Provides a server from the source asked for, or from the first that applies. An external server that was named
    /// and does not answer is not replaced by another source: numbers must come from where the user said.
    /// </summary>
    /// <exception cref="DatabaseStartException">A server was found installed, but does not start or is not durable.</exception>
    public static Task<ProvisionOutcome> ProvisionAsync(
        DatabaseRequest request,
        ILogger logger,
        CancellationToken cancellationToken = default
    ) => Sources.ProvisionAsync(request, logger, cancellationToken);

    /// <summary>Looks at every source, in their order, without starting a server.</summary>
    public static Task<IReadOnlyList<SourceFinding>> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken = default) =>
        Sources.InspectAsync(request, cancellationToken);

    /// <summary>
    /// A program that comes with PostgreSQL, for instance <c>pgbench</c>; <see langword="null"/> when this machine has none.
    /// </summary>
    public static string? FindProgram(string name) => PostgreSqlBinarySearch.OnThisMachine().FindProgram(name);
}

using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases.External;
using Serdica.Perf.Databases.Local;

namespace Serdica.Perf.Databases;

/// <summary>Provides PostgreSQL servers.</summary>
public static class PostgreSqlServers
{
    /// <summary>The oldest major version that the suite supports.</summary>
    public const int OldestVersion = 14;

    /// <summary>The newest major version that the suite supports.</summary>
    public const int NewestVersion = 18;

    // In the order of DatabaseSourceKind.
    private static readonly IPostgreSqlSource[] Sources = [new ExternalPostgreSql(), new LocalPostgreSql()];

    /// <summary>
    /// Provides a server from the source asked for, or from the first that applies. An external server that was named
    /// and does not answer is not replaced by another source: numbers must come from where the user said.
    /// </summary>
    /// <exception cref="DatabaseStartException">A server was found installed, but does not start or is not durable.</exception>
    public static async Task<ProvisionOutcome> ProvisionAsync(
        DatabaseRequest request,
        ILogger logger,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(logger);

        var source = request.Source is { } kind
            ? Array.Find(Sources, candidate => candidate.Kind == kind)
            : Array.Find(Sources, candidate => candidate.IsCandidate(request));

        return source is null
            ? new ProvisionOutcome.Unavailable(NotSupported(request.Source))
            : await source.ProvisionAsync(request, logger, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Looks at every source, in their order, without starting a server.</summary>
    public static async Task<IReadOnlyList<SourceFinding>> InspectAsync(
        DatabaseRequest request,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);

        return await Task.WhenAll(Sources.Select(source => source.InspectAsync(request, cancellationToken))).ConfigureAwait(false);
    }

    private static string NotSupported(DatabaseSourceKind? kind)
    {
        var supported = string.Join(" or ", Sources.Select(source => source.Kind)).ToLowerInvariant();
        return $"PostgreSQL does not come from '{kind?.ToString().ToLowerInvariant()}' in this build: "
            + $"set {DatabaseEnvironment.SourceVariable(DatabaseEnvironment.PostgreSql)} to {supported}.";
    }
}

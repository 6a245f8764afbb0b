using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases.External;
using Serdica.Perf.Databases.Local;

namespace Serdica.Perf.Databases;

/// <summary>The sources of a flavour of PostgreSQL, and the choice between them.</summary>
internal sealed class PostgreSqlSources(PostgreSqlFlavour flavour)
{
    // In the order of DatabaseSourceKind.
    private readonly IPostgreSqlSource[] _sources = [new ExternalPostgreSql(flavour), new LocalPostgreSql(flavour)];

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(logger);

        var source = request.Source is { } kind
            ? Array.Find(_sources, candidate => candidate.Kind == kind)
            : Array.Find(_sources, candidate => candidate.IsCandidate(request));

        return source is null
            ? new ProvisionOutcome.Unavailable(NotSupported(request.Source))
            : await source.ProvisionAsync(request, logger, cancellationToken).ConfigureAwait(false);
    }

    public async Task<IReadOnlyList<SourceFinding>> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);

        return await Task.WhenAll(_sources.Select(source => source.InspectAsync(request, cancellationToken))).ConfigureAwait(false);
    }

    private string NotSupported(DatabaseSourceKind? kind)
    {
        var supported = string.Join(" or ", _sources.Select(source => source.Kind)).ToLowerInvariant();
        return $"{flavour.Product} does not come from '{kind?.ToString().ToLowerInvariant()}' in this build: "
            + $"set {DatabaseEnvironment.SourceVariable(flavour.Backend)} to {supported}.";
    }
}

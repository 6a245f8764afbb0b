using Microsoft.Extensions.Logging;
using Serdica.Perf.Databases.Containers;
using Serdica.Perf.Databases.External;
using Serdica.Perf.Databases.Local;

namespace Serdica.Perf.Databases;

/// <summary>The sources of one database, and the choice between them.</summary>
/// <param name="backend">The back-end name, from which the environment variables are named.</param>
/// <param name="product">Name of the product, for sentences.</param>
/// <param name="sources">In the order of <see cref="DatabaseSourceKind"/>.</param>
internal sealed class DatabaseSources(string backend, string product, params IDatabaseSource[] sources)
{
    public static DatabaseSources Of(PostgreSqlFlavour flavour, ContainerModule module) => new(
        flavour.Backend, flavour.Product, new ExternalPostgreSql(flavour), new ContainerSource(module), new LocalPostgreSql(flavour));

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(logger);

        var source = request.Source is { } kind
            ? Array.Find(sources, candidate => candidate.Kind == kind)
            : await FirstCandidateAsync(request, cancellationToken).ConfigureAwait(false);

        return source is null
            ? new ProvisionOutcome.Unavailable(NotSupported(request.Source))
            : await source.ProvisionAsync(request, logger, cancellationToken).ConfigureAwait(false);
    }

    public async Task<IReadOnlyList<SourceFinding>> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);

        return await Task.WhenAll(sources.Select(source => source.InspectAsync(request, cancellationToken))).ConfigureAwait(false);
    }

    private async Task<IDatabaseSource> FirstCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        foreach (var source in sources)
        {
            if (await source.IsCandidateAsync(request, cancellationToken).ConfigureAwait(false))
                return source;
        }

        // The last one knows what to say to somebody who has nothing.
        return sources[^1];
    }

    private string NotSupported(DatabaseSourceKind? kind)
    {
        var supported = string.Join(" or ", sources.Select(source => source.Kind)).ToLowerInvariant();
        return $"{product} does not come from '{kind?.ToString().ToLowerInvariant()}' in this build: "
            + $"set {DatabaseEnvironment.SourceVariable(backend)} to {supported}.";
    }
}

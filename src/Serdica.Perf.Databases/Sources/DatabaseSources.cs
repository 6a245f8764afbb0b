using Serdica.Perf.Databases.Containers;
using Serdica.Perf.Databases.External;
using Serdica.Perf.Databases.Local;

namespace Serdica.Perf.Databases.Sources;

/// <summary>The sources of one database, and the choice between them.</summary>
/// <param name="backend">The back-end name, from which the environment variables are named.</param>
/// <param name="product">Name of the product, for sentences.</param>
/// <param name="sources">In the order of <see cref="DatabaseSourceKind"/>.</param>
internal sealed class DatabaseSources(string backend, string product, params IDatabaseSource[] sources)
{
    public static DatabaseSources Of(PostgreSqlFlavour flavour, ContainerModule module) =>
        new(flavour.Backend, flavour.Product, new ExternalPostgreSql(flavour), new ContainerSource(module), new LocalPostgreSql(flavour));

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        if (request.Source is not { } kind)
            return await FirstAsync(request, logger, cancellationToken).ConfigureAwait(false);

        return Array.Find(sources, source => source.Kind == kind) is { } named
            ? await named.ProvisionAsync(request, logger, cancellationToken).ConfigureAwait(false)
            : new ProvisionOutcome.Unavailable(NotSupported(kind));
    }

    public async Task<IReadOnlyList<SourceFinding>> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        await Task.WhenAll(sources.Select(source => source.InspectAsync(request, cancellationToken))).ConfigureAwait(false);

    private async Task<ProvisionOutcome> FirstAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        foreach (var source in sources[..^1])
        {
            if (!await source.IsCandidateAsync(request, cancellationToken).ConfigureAwait(false))
                continue;

            var outcome = await source.ProvisionAsync(request, logger, cancellationToken).ConfigureAwait(false);

            // A server that the user has named is not replaced: the numbers must come from there.
            if (outcome is not ProvisionOutcome.Unavailable(var reason) || source.Kind == DatabaseSourceKind.External)
                return outcome;

            Log.PassedOver(logger, source.Kind, reason);
        }

        // The last one knows what to say to somebody who has nothing.
        return await sources[^1].ProvisionAsync(request, logger, cancellationToken).ConfigureAwait(false);
    }

    private string NotSupported(DatabaseSourceKind kind)
    {
        var supported = string.Join(" or ", sources.Select(source => source.Kind)).ToLowerInvariant();
        return $"{product} does not come from '{kind.ToString().ToLowerInvariant()}' in this build: "
            + $"set {DatabaseEnvironment.SourceVariable(backend)} to {supported}.";
    }
}

using Serdica.Perf.Databases.Containers;
using Serdica.Perf.Databases.Containers.Modules;
using Serdica.Perf.Databases.External;

namespace Serdica.Perf.Databases.Sources;

/// <summary>The sources of one database, and the choice between them.</summary>
/// <param name="backend">The back-end name, from which the environment variables are named.</param>
/// <param name="sources">In the order of <see cref="DatabaseSourceKind"/>.</param>
internal sealed class DatabaseSources(string backend, string product, params IDatabaseSource[] sources)
{
    private static readonly StandardPostgreSql PostgreSql = new();
    private static readonly DocumentDb DocumentDb = new();
    private static readonly Citus Citus = new();

    private static readonly Dictionary<string, DatabaseSources> All = new()
    {
        [DatabaseEnvironment.PostgreSql] = Of(PostgreSql, new PostgreSqlModule(PostgreSql)),
        [DatabaseEnvironment.DocumentDb] = Of(DocumentDb, new DocumentDbModule(DocumentDb)),
        [DatabaseEnvironment.Citus] = Of(Citus, new ContainerCitus(Citus, new CitusModule(Citus)), new LocalCitus(Citus)),

        // Servers of other people are named by a connection string, and looked at by whoever has the driver.
        [DatabaseEnvironment.MongoDb] = Of(new MongoDbModule()),
        [DatabaseEnvironment.Oracle] = Of(new OracleModule()),
    };

    /// <summary>The sources of a back-end, by its name in environment variables.</summary>
    public static DatabaseSources Of(string backend) => All[backend];

    /// <summary>
    /// Provides a server from the source asked for, or from the first that applies. An external server that was named
    /// and does not answer is not replaced by another source: numbers must come from where the user said.
    /// </summary>
    /// <exception cref="DatabaseStartException">A server was found installed, but does not start or is not durable.</exception>
    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        if (request.Source is not { } kind)
            return await FirstAsync(request, logger, cancellationToken);

        return Array.Find(sources, source => source.Kind == kind) is { } named
            ? await named.ProvisionAsync(request, logger, cancellationToken)
            : new ProvisionOutcome.Unavailable(NotSupported(kind));
    }

    /// <summary>Looks at every source, in their order, without starting a server.</summary>
    public async Task<IReadOnlyList<SourceFinding>> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        await Task.WhenAll(sources.Select(source => source.InspectAsync(request, cancellationToken)));

    private static DatabaseSources Of(PostgreSqlFlavour flavour, ContainerModule module) =>
        Of(flavour, new ContainerSource(module), new LocalPostgreSql(flavour));

    private static DatabaseSources Of(PostgreSqlFlavour flavour, IDatabaseSource containers, IDatabaseSource local) =>
        new(flavour.Backend, flavour.Product, new ExternalPostgreSql(flavour), containers, local);

    private static DatabaseSources Of(ContainerModule module) => new(module.Backend, module.Product, new ContainerSource(module));

    private async Task<ProvisionOutcome> FirstAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        foreach (var source in sources[..^1])
        {
            if (!await source.IsCandidateAsync(request, cancellationToken))
                continue;

            var outcome = await source.ProvisionAsync(request, logger, cancellationToken);

            // A server that the user has named is not replaced: the numbers must come from there.
            if (outcome is not ProvisionOutcome.Unavailable(var reason) || source.Kind == DatabaseSourceKind.External)
                return outcome;

            Log.PassedOver(logger, source.Kind, reason);
        }

        // The last one knows what to say to somebody who has nothing.
        return await sources[^1].ProvisionAsync(request, logger, cancellationToken);
    }

    private string NotSupported(DatabaseSourceKind kind)
    {
        var supported = string.Join(" or ", sources.Select(source => source.Kind)).ToLowerInvariant();
        return $"{product} does not come from '{kind.ToString().ToLowerInvariant()}' in this build: "
            + $"set {DatabaseEnvironment.SourceVariable(backend)} to {supported}.";
    }
}

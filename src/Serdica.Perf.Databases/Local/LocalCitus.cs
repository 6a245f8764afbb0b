namespace Serdica.Perf.Databases.Local;

/// <summary>A Citus cluster of a coordinator and two workers from installed programs, in temporary folders.</summary>
internal sealed class LocalCitus(Citus flavour) : IDatabaseSource
{
    private readonly LocalPostgreSql _node = new(flavour);

    public DatabaseSourceKind Kind => _node.Kind;

    public ValueTask<bool> IsCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        _node.IsCandidateAsync(request, cancellationToken);

    public Task<SourceFinding> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        _node.InspectAsync(request, cancellationToken);

    public Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken) =>
        flavour.ProvideClusterAsync(
            _node,
            request,
            logger,
            static (nodes, description) => new LocalCitusCluster([.. nodes.Cast<LocalPostgreSqlServer>()], description),
            cancellationToken
        );
}

/// <summary>A throw-away cluster on this machine.</summary>
internal sealed class LocalCitusCluster(IReadOnlyList<LocalPostgreSqlServer> nodes, ServerDescription description)
    : CitusCluster(nodes, description)
{
    /// <summary>The process of the coordinator.</summary>
    public override int? ProcessId => Coordinator.ProcessId;

    /// <summary>The folder of a worker: instances are written there.</summary>
    public override string DataFolder => Workers[^1].DataFolder;

    public LocalPostgreSqlServer Coordinator { get; } = nodes[0];

    public IReadOnlyList<LocalPostgreSqlServer> Workers { get; } = [.. nodes.Skip(1)];
}

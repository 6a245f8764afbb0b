namespace Serdica.Perf.Databases.Containers;

/// <summary>A Citus cluster of a coordinator and two workers in containers, each known to all by its address on their network.</summary>
internal sealed class ContainerCitus(
    Citus flavour,
    ContainerModule module,
    Func<FoundEngine, IContainerEngine> adapter,
    Func<ContainerOptions, CancellationToken, Task<(FoundEngine? Engine, string? Problem)>> findEngine
) : IDatabaseSource
{
    private readonly ContainerSource _node = new(module, adapter, findEngine);

    public ContainerCitus(Citus flavour, ContainerModule module)
        : this(flavour, module, static found => new TestcontainersEngine(found), EngineProbe.FindAsync) { }

    public DatabaseSourceKind Kind => _node.Kind;

    public ValueTask<bool> IsCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        _node.IsCandidateAsync(request, cancellationToken);

    public async Task<SourceFinding> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        (await findEngine(request.Container, cancellationToken)).Engine is { } engine && !IsHere(engine)
            ? new SourceFinding(Kind, false, OutOfReach)
            : await _node.InspectAsync(request, cancellationToken);

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        if (await InspectAsync(request, cancellationToken) is { IsAvailable: false, Detail: var problem })
            return new ProvisionOutcome.Unavailable(problem);
        if (request.Container.Keep)
            return new ProvisionOutcome.Unavailable($"{flavour.Product} in containers is not kept: leave --keep-database out.");

        var network = $"serdica-perf-{flavour.Backend}-{RandomNumberGenerator.GetHexString(8, lowercase: true)}";
        try
        {
            return await flavour.ProvideClusterAsync(
                _node,
                request with { Container = request.Container with { Network = network } },
                logger,
                static (nodes, description) => new CitusCluster(nodes, description),
                cancellationToken
            );
        }
        catch (OutOfReachException)
        {
            return new ProvisionOutcome.Unavailable(OutOfReach);
        }
    }

    private string OutOfReach =>
        $"{flavour.Product} in containers needs a container engine on this Linux machine, without a virtual machine between: install the "
            + $"extension, or set {flavour.Variable} to the connection string of a coordinator.";

    // Elsewhere the same address may be somebody else's.
    private static bool IsHere(FoundEngine engine) =>
        OperatingSystem.IsLinux() && engine.Endpoint.PublishOn == IPAddress.Loopback.ToString();
}

/// <summary>Containers run, and their addresses are not those of this machine.</summary>
internal sealed class OutOfReachException : Exception;

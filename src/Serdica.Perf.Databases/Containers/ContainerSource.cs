namespace Serdica.Perf.Databases.Containers;

/// <summary>A database in a container that the suite starts and removes.</summary>
internal sealed class ContainerSource(
    ContainerModule module,
    Func<FoundEngine, IContainerEngine> adapter,
    Func<ContainerOptions, CancellationToken, Task<(FoundEngine? Engine, string? Problem)>> findEngine
) : IDatabaseSource
{
    public ContainerSource(ContainerModule module)
        : this(module, static found => new TestcontainersEngine(found), EngineProbe.FindAsync) { }

    public DatabaseSourceKind Kind => DatabaseSourceKind.Containers;

    public async ValueTask<bool> IsCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        (await findEngine(request.Container, cancellationToken)).Engine is not null;

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        var (found, problem) = await findEngine(request.Container, cancellationToken);

        if (found is null)
            return new ProvisionOutcome.Unavailable(problem!);

        var engine = adapter(found);
        ProvisionOutcome? outcome = null;

        try
        {
            return outcome = await new ContainerStart(module, engine, found.Name, request, logger).RunAsync(cancellationToken);
        }
        finally
        {
            // A server needs it to be removed.
            if (outcome is not ProvisionOutcome.Provisioned)
                engine.Dispose();
        }
    }

    public async Task<SourceFinding> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken)
    {
        var (engine, problem) = await findEngine(request.Container, cancellationToken);

        return engine is null
            ? new SourceFinding(Kind, false, problem!)
            : new SourceFinding(
                Kind,
                true,
                $"{engine.Name} at {engine.Endpoint.Address}, image {request.Container.Image ?? module.Image}."
            );
    }
}

namespace Serdica.Perf.Databases.Containers;

/// <summary>What the suite needs of a container engine. Containers that do not carry its labels are not its business.</summary>
internal interface IContainerEngine : IDisposable
{
    /// <summary>
    /// Fetches the image where it is missing, and starts a container. It then runs; the server in it need not answer yet.
    /// A plan that <see cref="ContainerPlan.IsReused"/> gets the container that was started for the same plan before. What
    /// a failed start has made is removed.
    /// </summary>
    /// <exception cref="ContainerEngineException">It does not start; the exception has what the container said.</exception>
    Task<IDatabaseContainer> StartAsync(ContainerPlan plan, CancellationToken cancellationToken);

    /// <summary>All containers of the suite, those of other processes among them, running or not.</summary>
    /// <exception cref="ContainerEngineException">The engine refuses.</exception>
    Task<IReadOnlyList<FoundContainer>> ListAsync(CancellationToken cancellationToken);

    /// <summary>Kills a container and removes it with its volumes. One that is gone already is no error.</summary>
    /// <exception cref="ContainerEngineException">The engine refuses.</exception>
    Task RemoveAsync(string id, string volume, CancellationToken cancellationToken);
}

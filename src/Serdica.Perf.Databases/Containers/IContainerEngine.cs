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

    /// <summary>
    /// Kills a container and removes it with its volumes, and with its network when it was the last there. One that is gone already is
    /// no error.
    /// </summary>
    /// <exception cref="ContainerEngineException">The engine refuses.</exception>
    Task RemoveAsync(string id, IReadOnlyDictionary<string, string> labels, CancellationToken cancellationToken);
}

/// <summary>
/// A container that was started for a database. All members throw <see cref="ContainerEngineException"/> when the engine refuses.
/// </summary>
internal interface IDatabaseContainer
{
    string Id { get; }

    /// <summary>Where its port is reached from this process.</summary>
    string Host { get; }

    /// <summary>The published port, or that of the server in a network; a container that is started again may get another.</summary>
    int Port { get; }

    /// <summary>Sends a signal to the first process, with which the container ends. Returns at once.</summary>
    Task SignalAsync(string signal, CancellationToken cancellationToken);

    /// <summary>Starts the container with its data after it has ended.</summary>
    Task StartAgainAsync(CancellationToken cancellationToken);

    /// <summary>Freezes all its processes, or lets them run again.</summary>
    Task SetPausedAsync(bool isPaused, CancellationToken cancellationToken);

    /// <summary>Asks the engine how the container is, with the limits that really hold.</summary>
    Task<ContainerState> InspectAsync(CancellationToken cancellationToken);

    /// <summary>All that the container has written so far.</summary>
    Task<string> ReadLogAsync(CancellationToken cancellationToken);

    Task<ContainerUsage> ReadUsageAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Runs a program in the container, with the variables of its plan. Libraries log the command line: secrets belong
    /// into those variables.
    /// </summary>
    Task<CommandOutcome> RunAsync(IReadOnlyList<string> command, CancellationToken cancellationToken);
}

/// <summary>A container of the suite.</summary>
/// <param name="Environment">Its variables, passwords among them.</param>
internal sealed record FoundContainer(
    string Id,
    IReadOnlyDictionary<string, string> Labels,
    IReadOnlyDictionary<string, string> Environment
);

/// <summary>How a container is.</summary>
/// <param name="IsRunning">Whether its first process runs.</param>
/// <param name="ExitCode">Of that process, once it has ended.</param>
/// <param name="Image">With its digest; of an image that has none, with its id.</param>
/// <param name="Cpus">The limit that holds; <see langword="null"/> for none.</param>
/// <param name="MemoryBytes">The limit that holds; <see langword="null"/> for none.</param>
/// <param name="RanOutOfMemory">Whether the engine knows of a process that was killed for want of memory; it may not.</param>
/// <param name="IsPaused">Whether its processes are frozen; it counts as running.</param>
/// <param name="StartedAt">The time of its last start.</param>
internal sealed record ContainerState(
    bool IsRunning,
    long ExitCode,
    string Image,
    double? Cpus,
    long? MemoryBytes,
    bool RanOutOfMemory,
    bool IsPaused,
    DateTimeOffset StartedAt
);

/// <summary>What became of a program that ran in a container.</summary>
internal sealed record CommandOutcome(long ExitCode, string Output, string Errors);

/// <summary>The engine did not do what it was asked for.</summary>
/// <param name="log">What the container wrote before it was removed.</param>
internal sealed class ContainerEngineException(string message, string log = "") : Exception(message)
{
    public string Log => log;

    /// <summary>Whether the image is neither here nor to be fetched: no fault of the server's.</summary>
    public bool ImageIsMissing { get; init; }
}

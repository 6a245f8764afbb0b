namespace Serdica.Perf.Databases.Containers;

/// <summary>A container that was started for a database. All members throw <see cref="ContainerEngineException"/> when the engine refuses.</summary>
internal interface IDatabaseContainer
{
    string Id { get; }

    /// <summary>Where the published port is reached from this process.</summary>
    string Host { get; }

    int Port { get; }

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

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>Processes whose hosts run the instances of a workload of this process, on the same store. Disposal ends them.</summary>
internal interface IHostProcesses : IAsyncDisposable
{
    /// <summary>Lets all hosts claim, and returns when they do.</summary>
    /// <exception cref="WorkflowBackendException">One has ended.</exception>
    Task StartAsync(CancellationToken cancellationToken);

    /// <summary>What each host has used and done so far, by number.</summary>
    /// <exception cref="WorkflowBackendException">One has ended, or does not answer.</exception>
    Task<IReadOnlyList<HostUsage>> ReadAsync(CancellationToken cancellationToken);
}

/// <summary>Where a measurement gets its host processes from.</summary>
/// <param name="OpenAsync">Starts the processes for a store; their hosts claim nothing yet.</param>
internal sealed record HostSource(int Count, Func<IScenarioStore, CancellationToken, Task<IHostProcesses>> OpenAsync);

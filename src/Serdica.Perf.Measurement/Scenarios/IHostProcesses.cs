namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>Processes whose hosts do the work of a workload of this process, on the same stores. Disposal ends them.</summary>
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
/// <param name="OpenAsync">Starts the processes; their hosts claim nothing yet.</param>
internal sealed record HostSource(int Count, Func<HostTask, CancellationToken, Task<IHostProcesses>> OpenAsync);

/// <summary>What host processes work on.</summary>
/// <param name="Stores">On one server.</param>
/// <param name="IsReport">
/// Gets each line that a host prints, and says whether it is a report for the measurement. It throws a <see cref="FormatException"/>
/// for a report that cannot be read. Null where hosts report nothing of their own.
/// </param>
internal sealed record HostTask(IReadOnlyList<IScenarioStore> Stores, Func<string, bool>? IsReport = null);

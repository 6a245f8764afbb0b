namespace Serdica.Perf.Workflows;

/// <summary>What a backend's server can tell about its work: counters that only grow, read as they stand.</summary>
public interface IBackendStatistics : IAsyncDisposable
{
    /// <summary>Reads the counters over a connection of its own, so that the read costs the engine nothing.</summary>
    /// <exception cref="WorkflowBackendException">The server could not be asked.</exception>
    Task<StatisticsSnapshot> TakeSnapshotAsync(CancellationToken cancellationToken);
}

namespace Serdica.Perf.Workflows;

/// <summary>What a backend's server reports about its work: the current values of counters and gauges.</summary>
public interface IBackendStatistics : IAsyncDisposable
{
    /// <summary>Reads the counters over a connection of its own, so that the read holds up no work of the engine.</summary>
    /// <param name="depth">How much is read.</param>
    /// <param name="cancellationToken">Gives the read up.</param>
    /// <exception cref="WorkflowBackendException">The server could not be asked.</exception>
    Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken);
}

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

/// <summary>How much a snapshot reads.</summary>
public enum SnapshotDepth
{
    /// <summary>What is cheap enough to be read every second while the engine works.</summary>
    Sample,

    /// <summary>All there is, sizes of tables and the costliest statements among it; before and after a measured window.</summary>
    Full,
}

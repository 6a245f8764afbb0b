namespace Serdica.Perf.Measurement.Stores;

/// <summary>An available backend with the server that it needs. Disposal stops what was started for it.</summary>
internal interface IMeasuredBackend : IAsyncDisposable
{
    DatabaseDescription Description { get; }

    /// <summary>
    /// The folder in which the server keeps its data on this machine; <see langword="null"/> when it is elsewhere or there is
    /// none.
    /// </summary>
    string? DataFolder { get; }

    /// <summary>
    /// The cost of a flushed write beside the data, measured by the backend where its server runs. <see langword="null"/> when
    /// it cannot do that; then <see cref="DataFolder"/> is measured if there is one.
    /// </summary>
    Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) => Task.FromResult<FsyncProbeResult?>(null);

    /// <summary>What the server has used since it started; <see langword="null"/> when it is unknown.</summary>
    Task<ServerUsage?> ReadUsageAsync(CancellationToken cancellationToken) => Task.FromResult<ServerUsage?>(null);

    /// <summary>Makes a fresh, empty store that no other scenario uses.</summary>
    /// <exception cref="WorkflowBackendException">The server could not make it.</exception>
    Task<IScenarioStore> CreateStoreAsync(string run);
}

/// <summary>A fresh, empty store of one backend for one run of one scenario. Disposal removes the store.</summary>
public interface IScenarioStore : IAsyncDisposable
{
    /// <summary>The backend's name in results: <c>postgresql</c>, ...</summary>
    string Backend { get; }

    /// <summary>Another backend object on the same store, as another process would have; the caller disposes it.</summary>
    IWorkflowBackend Connect();

    /// <summary>The counters of the server; <see langword="null"/> when there is no server. Disposed with the store.</summary>
    IBackendStatistics? Statistics { get; }
}

using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Stores;

/// <summary>A fresh, empty store of one backend for one run of one scenario. Disposing it removes the store.</summary>
public interface IScenarioStore : IAsyncDisposable
{
    /// <summary>The store is named by its backend in results: <c>postgresql</c>, ...</summary>
    string Backend { get; }

    /// <summary>Another backend object on the same store, as another process would have one; the caller disposes it.</summary>
    IWorkflowBackend Connect();

    /// <summary>The counters of the server; <see langword="null"/> when there is no server. Disposed with the store.</summary>
    IBackendStatistics? Statistics { get; }
}

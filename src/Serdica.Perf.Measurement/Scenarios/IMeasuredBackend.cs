using Serdica.Perf.Measurement.Environments;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>A backend that answers, with whatever server it needs. Disposing it stops what was started for it.</summary>
public interface IMeasuredBackend : IAsyncDisposable
{
    DatabaseDescription Description { get; }

    /// <summary>Where the server keeps its data on this machine; <see langword="null"/> when it is elsewhere or has none.</summary>
    string? DataFolder { get; }

    /// <summary>
    /// Cost of a flushed write beside the data, measured by the backend where its server runs; <see langword="null"/> when it
    /// can't do that, and then <see cref="DataFolder"/> is measured where there is one.
    /// </summary>
    Task<FsyncProbeResult?> ProbeFsyncAsync(CancellationToken cancellationToken) => Task.FromResult<FsyncProbeResult?>(null);

    /// <summary>
    /// The first process of the server, from which its processor time and memory are read; <see langword="null"/> when it is
    /// not on this machine or there is none.
    /// </summary>
    int? ServerProcessId => null;

    /// <summary>A fresh, empty store that no other scenario uses.</summary>
    IScenarioStore CreateStore();
}

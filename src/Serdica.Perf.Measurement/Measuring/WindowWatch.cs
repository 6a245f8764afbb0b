using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Samples;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Measuring;

/// <summary>What a measured window is watched with.</summary>
/// <param name="Progress">How far the load is.</param>
/// <param name="Statistics">The server's; <see langword="null"/> when there are none, or nobody wants them.</param>
/// <param name="ReadUsageAsync">What the server has used, null when nobody can tell; <see langword="null"/> when nobody wants it.</param>
/// <param name="Write">Takes the samples; <see langword="null"/> when nobody wants them.</param>
internal sealed record WindowWatch(
    ScenarioProgress Progress, IBackendStatistics? Statistics, Func<CancellationToken, Task<ServerUsage?>>? ReadUsageAsync, Action<Sample>? Write)
{
    /// <summary>See <see cref="FsyncProbeResult.WritesMissing"/>.</summary>
    public string? WritesMissing { get; init; }
}

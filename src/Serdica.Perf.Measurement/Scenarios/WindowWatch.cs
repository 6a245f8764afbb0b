using Serdica.Perf.Measurement.Samples;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What a measured window is watched with.</summary>
/// <param name="Progress">How far the load is.</param>
/// <param name="Statistics">The server's; <see langword="null"/> when there are none, or nobody wants them.</param>
/// <param name="ServerProcessId">The server's first process; <see langword="null"/> when it is not on this machine.</param>
/// <param name="Write">Takes the samples; <see langword="null"/> when nobody wants them.</param>
internal sealed record WindowWatch(
    ScenarioProgress Progress, IBackendStatistics? Statistics, int? ServerProcessId, Action<Sample>? Write);

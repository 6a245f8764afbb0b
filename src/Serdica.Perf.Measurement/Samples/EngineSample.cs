using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Samples;

/// <summary>The measuring process, load generator included.</summary>
/// <param name="CpuMs">Processor time since the begin of the window.</param>
/// <param name="AllocatedBytes">Since the begin of the window.</param>
/// <param name="Collections">Garbage collections since then, by generation.</param>
/// <param name="WorkingSetBytes">Now.</param>
/// <param name="Counters">What the workers counted since the begin of the window.</param>
public sealed record EngineSample(
    double CpuMs, long AllocatedBytes, IReadOnlyList<int> Collections, long WorkingSetBytes, HostCounters Counters)
{
    /// <summary>Fetched from the storage layer since the begin of the window; null where the system does not tell.</summary>
    public long? DiskReadBytes { get; init; }

    /// <summary>Caused to be sent to it since then; the same.</summary>
    public long? DiskWriteBytes { get; init; }
}

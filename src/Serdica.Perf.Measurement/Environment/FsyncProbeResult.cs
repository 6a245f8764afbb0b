using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.Environments;

/// <summary>What a flushed write costs on one volume.</summary>
/// <param name="BlockBytes">Size of each write.</param>
/// <param name="WritesPerSecond">Flushed writes, one after the other.</param>
/// <param name="FileSystem">The kind of file system, for instance <c>ext4</c>; null when it can't be told.</param>
/// <param name="Latency">Of one write with its flush.</param>
public sealed record FsyncProbeResult(int BlockBytes, double WritesPerSecond, string? FileSystem, LatencySummary Latency);

using System.Globalization;
using System.Text.Json.Serialization;
using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.Environments;

/// <summary>What a flushed write costs on one volume.</summary>
/// <param name="BlockBytes">Size of each write.</param>
/// <param name="WritesPerSecond">Flushed writes, one after the other.</param>
/// <param name="FileSystem">The kind of file system, for instance <c>ext4</c>; null when it can't be told.</param>
/// <param name="Latency">Of one write with its flush.</param>
public sealed record FsyncProbeResult(int BlockBytes, double WritesPerSecond, string? FileSystem, LatencySummary Latency)
{
    /// <summary>Twice what was written is no rounding any more.</summary>
    private const double TolerableCount = 2;

    /// <summary>
    /// Bytes that the kernel counted as written by this process for each that it wrote; null where it does not tell. A kernel
    /// with large folios in its cache (ext4 since Linux 6.16) counts the whole folio, up to 2 MiB, for each block.
    /// </summary>
    public double? CountedPerByte { get; init; }

    /// <summary>Why the kernel's counters of what processes write are of no use on this volume; null where they are.</summary>
    [JsonIgnore]
    public string? WritesMissing => CountedPerByte is { } factor and > TolerableCount
        ? string.Create(CultureInfo.InvariantCulture, $"This kernel counts {factor:0} bytes for each that a process writes in blocks of {BlockBytes} bytes: a whole folio of its cache. The disks of the machine are counted as they are.")
        : null;
}

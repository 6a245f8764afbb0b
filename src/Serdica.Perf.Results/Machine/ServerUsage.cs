namespace Serdica.Perf.Results.Machine;

/// <summary>What a server has used since it started.</summary>
/// <param name="Processor">Of all its processes, those that have ended among them.</param>
/// <param name="MemoryBytes">
/// The private memory of all processes and, once, the shared memory that the one who touched most of it has touched. Pages
/// of files that the kernel keeps are not in it. Null when its processes can't be seen.
/// </param>
/// <param name="Disk">Of all its processes, or of the container around it; null where that is not told.</param>
/// <param name="Container">Of the container around it; null when there is none.</param>
public sealed record ServerUsage(TimeSpan Processor, long? MemoryBytes, ServerContainerUsage? Container = null, DiskUsage? Disk = null);

/// <summary>What the container around a server has used. What the container engine does not tell is null.</summary>
/// <param name="MemoryBytes">Now, without the part of the file cache that the kernel would give up first.</param>
/// <param name="BlockReadBytes">From block devices, since it started.</param>
/// <param name="BlockWriteBytes">To block devices, since it started.</param>
public sealed record ServerContainerUsage(long? MemoryBytes, long? BlockReadBytes, long? BlockWriteBytes);

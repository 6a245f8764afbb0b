namespace Serdica.Perf.Results.Machine;

/// <summary>What a server has used since it started.</summary>
/// <param name="Processor">Processor time of all processes, including those that have ended.</param>
/// <param name="MemoryBytes">
/// The private memory of all processes, plus the shared memory once: the largest part that any one process has touched. The kernel's
/// page cache is not included. Bytes; null when the processes are not visible.
/// </param>
/// <param name="Disk">Disk traffic of all processes, or of the container around them; null where it is not reported.</param>
/// <param name="Container">What the container around the server has used; null without a container.</param>
internal sealed record ServerUsage(TimeSpan Processor, long? MemoryBytes, ServerContainerUsage? Container = null, DiskUsage? Disk = null)
{
    /// <summary>What two servers without containers have used together; a figure that one of them lacks is null.</summary>
    public ServerUsage Plus(ServerUsage other) =>
        new(
            Processor + other.Processor,
            MemoryBytes + other.MemoryBytes,
            Disk: Disk is { } one && other.Disk is { } two ? one.Plus(two) : null
        );
}

/// <summary>What the container around a server has used. Null means that the container engine does not report the figure.</summary>
/// <param name="MemoryBytes">Bytes in use now, without the part of the file cache that the kernel would release first.</param>
/// <param name="BlockReadBytes">Bytes read from block devices since it started.</param>
/// <param name="BlockWriteBytes">Bytes written to block devices since it started.</param>
internal sealed record ServerContainerUsage(long? MemoryBytes, long? BlockReadBytes, long? BlockWriteBytes);

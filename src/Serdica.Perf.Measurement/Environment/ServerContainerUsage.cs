namespace Serdica.Perf.Measurement.Environments;

/// <summary>What the container around a server has used. What the container engine does not tell is null.</summary>
/// <param name="MemoryBytes">Now, without the part of the file cache that the kernel would give up first.</param>
/// <param name="BlockReadBytes">From block devices, since it started.</param>
/// <param name="BlockWriteBytes">To block devices, since it started.</param>
public sealed record ServerContainerUsage(long? MemoryBytes, long? BlockReadBytes, long? BlockWriteBytes);

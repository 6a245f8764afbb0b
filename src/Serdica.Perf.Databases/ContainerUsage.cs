namespace Serdica.Perf.Databases;

/// <summary>What a container has used since it was started, as the engine counts it. All its processes are in it.</summary>
/// <param name="Processor">Processor time.</param>
/// <param name="MemoryBytes">Memory now, without the part of the file cache that the kernel would give up first.</param>
/// <param name="BlockReadBytes">Read from block devices; <see langword="null"/> where the engine does not tell.</param>
/// <param name="BlockWriteBytes">Written to block devices; <see langword="null"/> where the engine does not tell.</param>
public sealed record ContainerUsage(TimeSpan Processor, long? MemoryBytes, long? BlockReadBytes, long? BlockWriteBytes);

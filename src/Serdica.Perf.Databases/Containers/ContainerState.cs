namespace Serdica.Perf.Databases.Containers;

/// <summary>How a container is.</summary>
/// <param name="IsRunning">Whether its first process runs.</param>
/// <param name="ExitCode">Of that process, once it has ended.</param>
/// <param name="Image">With its digest; of an image that has none, with its id.</param>
/// <param name="Cpus">The limit that holds; <see langword="null"/> for none.</param>
/// <param name="MemoryBytes">The limit that holds; <see langword="null"/> for none.</param>
/// <param name="RanOutOfMemory">Whether the engine knows of a process that was killed for want of memory; it may not.</param>
internal sealed record ContainerState(bool IsRunning, long ExitCode, string Image, double? Cpus, long? MemoryBytes, bool RanOutOfMemory);

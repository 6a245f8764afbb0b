namespace Serdica.Perf.Measurement.Environments;

/// <summary>What a server has used.</summary>
/// <param name="Processor">Of all its processes, those that have ended among them.</param>
/// <param name="MemoryBytes">
/// The private memory of all processes and, once, the shared memory that the one who touched most of it has touched. Pages
/// of files that the kernel keeps are not in it.
/// </param>
internal sealed record ServerUsage(TimeSpan Processor, long MemoryBytes);

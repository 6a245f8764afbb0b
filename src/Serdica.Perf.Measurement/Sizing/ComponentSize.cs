namespace Serdica.Perf.Measurement.Sizing;

/// <summary>What one component of a size is to be given. Processors in thousandths of a core, memory in MiB.</summary>
/// <param name="Component">As in the load test.</param>
/// <param name="Replicas">As many as were measured.</param>
/// <param name="CpuRequest">At least P99 and headroom.</param>
/// <param name="CpuLimit">Half as much again or up to twice as much.</param>
/// <param name="MemoryRequest">At least P99 and headroom.</param>
/// <param name="MemoryLimit">Half as much again or up to twice as much, and never below the highest.</param>
/// <param name="Measured">What it was derived from.</param>
public sealed record ComponentSize(
    string Component, int Replicas, int CpuRequest, int CpuLimit, int MemoryRequest, int MemoryLimit, LoadTests.ResourceFigures Measured);

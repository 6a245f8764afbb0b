namespace Serdica.Perf.Measurement.Sizing;

/// <summary>How a component grows, and its share of all components at the highest load.</summary>
/// <param name="Component">As in the load test.</param>
/// <param name="Cpu">Of the average use of processors.</param>
/// <param name="Memory">Of the P99 of memory.</param>
/// <param name="CpuShare">0 to 1; null where the total is not known.</param>
/// <param name="MemoryShare">0 to 1; null where the total is not known.</param>
public sealed record ComponentGrowth(string Component, Growth Cpu, Growth Memory, double? CpuShare, double? MemoryShare);

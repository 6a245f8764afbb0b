namespace Serdica.Perf.Measurement.Comparisons;

/// <summary>Cores that the processes of two runs might use.</summary>
public sealed record CoreCounts(double Before, double After);

namespace Serdica.Perf.Measurement.Analysis;

/// <summary>One scenario on a server of one size.</summary>
/// <param name="Processors">That the server may use.</param>
/// <param name="PerSecond">Throughput; of repeats the typical one.</param>
/// <param name="P99Ms">Of its response times; null when it has none.</param>
/// <param name="RunId">Where all about it is.</param>
public sealed record ServerSize(double Processors, double PerSecond, double? P99Ms, string RunId);

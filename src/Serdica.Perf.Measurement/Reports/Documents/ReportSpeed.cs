namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>How fast a backend was at its fastest, and how long one caller waits.</summary>
/// <param name="Label">The backend, with the run where there are several.</param>
/// <param name="Scenario">Of the highest throughput: the full round trip where it was measured, else any.</param>
/// <param name="Load">Its load in words, for instance <c>closed load, 256 callers</c>.</param>
/// <param name="PerSecond">Its throughput.</param>
/// <param name="P50Ms">Its median response time.</param>
/// <param name="P99Ms">Its 99th percentile.</param>
/// <param name="SerialP50Ms">Median of the serial scenario; null when it was not measured.</param>
public sealed record ReportSpeed(string Label, string Scenario, string Load, double PerSecond, double? P50Ms, double? P99Ms, double? SerialP50Ms);

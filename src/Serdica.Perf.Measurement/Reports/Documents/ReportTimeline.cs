namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>Throughput and p99 over the measured window.</summary>
/// <param name="IntervalSeconds">Of each point.</param>
/// <param name="Seconds">Begin of each interval, from the begin of the window.</param>
/// <param name="PerSecond">Completions.</param>
/// <param name="P99Ms">Null where none completed.</param>
public sealed record ReportTimeline(
    double IntervalSeconds, IReadOnlyList<double> Seconds, IReadOnlyList<double> PerSecond, IReadOnlyList<double?> P99Ms);

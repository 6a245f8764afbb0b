namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>One point of a <see cref="ReportTrend"/>.</summary>
/// <param name="Commit">What was measured.</param>
/// <param name="At">When.</param>
/// <param name="Value">In the trend's unit.</param>
public sealed record ReportTrendPoint(string Commit, DateTimeOffset At, double Value);

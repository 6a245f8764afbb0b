namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>Something that happened while a scenario was measured.</summary>
/// <param name="FromSeconds">From the begin of the measured window.</param>
/// <param name="ToSeconds">Null for a moment.</param>
/// <param name="Label">For people, for instance <c>drain</c>.</param>
/// <param name="IsFault">Whether something was broken on purpose.</param>
public sealed record ReportMark(double FromSeconds, double? ToSeconds, string Label, bool IsFault = false);

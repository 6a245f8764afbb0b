namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>Something that happened while a scenario was measured.</summary>
/// <param name="FromSeconds">From the begin of the measured window; of a load test from the begin of the test.</param>
/// <param name="ToSeconds">Null for a moment.</param>
/// <param name="Label">For people, for instance <c>drain</c>.</param>
/// <param name="IsFault">Whether something went wrong there, or was broken on purpose.</param>
/// <param name="IsMeasured">Whether it is a phase whose operations are in the figures.</param>
public sealed record ReportMark(double FromSeconds, double? ToSeconds, string Label, bool IsFault = false, bool IsMeasured = false);

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>One curve of a <see cref="ReportPanel"/>.</summary>
/// <param name="Name">For the legend.</param>
/// <param name="Values">One for each point of time; null where it could not be had.</param>
public sealed record ReportCurve(string Name, IReadOnlyList<double?> Values);

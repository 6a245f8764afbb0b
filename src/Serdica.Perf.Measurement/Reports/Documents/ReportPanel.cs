namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>Curves that share an axis.</summary>
/// <param name="Title">What they are.</param>
/// <param name="Unit">Of all of them.</param>
/// <param name="Curves">Only those with a figure.</param>
public sealed record ReportPanel(string Title, string Unit, IReadOnlyList<ReportCurve> Curves);

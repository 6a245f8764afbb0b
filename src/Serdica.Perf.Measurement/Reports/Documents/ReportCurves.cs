namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>Generator, engine, database and host on one time axis.</summary>
/// <param name="SamplesPerPoint">More than 1 when there were too many to draw: rates are over all of them, states are means.</param>
/// <param name="Seconds">From the begin of the measured window; the time of each point.</param>
/// <param name="Panels">One chart each.</param>
public sealed record ReportCurves(int SamplesPerPoint, IReadOnlyList<double> Seconds, IReadOnlyList<ReportPanel> Panels);

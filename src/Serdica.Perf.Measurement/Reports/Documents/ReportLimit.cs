namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>What limits a backend, as far as the evidence goes.</summary>
/// <param name="Label">The backend, with the run where there are several.</param>
/// <param name="Limit">For a headline.</param>
/// <param name="Evidence">One sentence with the figures.</param>
/// <param name="Scenario">Where it was seen.</param>
public sealed record ReportLimit(string Label, string Limit, string Evidence, string Scenario);

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>One figure over many commits.</summary>
/// <param name="Name">Scenario and metric.</param>
/// <param name="Unit">For instance <c>op/s</c>; null for a plain count.</param>
/// <param name="Points">In order of time.</param>
/// <param name="ChangePoints">Indexes of the points from which on the level is another.</param>
public sealed record ReportTrend(string Name, string? Unit, IReadOnlyList<ReportTrendPoint> Points, IReadOnlyList<int> ChangePoints);

using Serdica.Perf.Measurement.Analysis;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>A capacity ladder with its findings in words and its law as a line.</summary>
/// <param name="Run">Where it was measured.</param>
/// <param name="Ladder">Rungs, knee and fit.</param>
/// <param name="SizingNote">One sentence.</param>
/// <param name="FitNote">The law's parameters, or why there is no fit.</param>
/// <param name="Curve">Pairs of callers and throughput; empty without a fit.</param>
public sealed record ReportLadder(
    string Run, CapacityLadder Ladder, string SizingNote, string FitNote, IReadOnlyList<IReadOnlyList<double>> Curve);

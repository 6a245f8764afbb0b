using Serdica.Perf.Measurement.Recording;

namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>The latencies of one phase.</summary>
/// <param name="Phase">One of <see cref="Results.PhaseNames"/>.</param>
/// <param name="Summary">Its percentiles.</param>
/// <param name="Percentiles">Pairs of 1/(1-p) and milliseconds, rising, the last of them the maximum; empty without a raw histogram.</param>
/// <param name="Distribution">Triples of the bounds of a bucket in milliseconds and its count; empty without a raw histogram.</param>
public sealed record ReportLatency(
    string Phase, LatencySummary Summary, IReadOnlyList<IReadOnlyList<double>> Percentiles, IReadOnlyList<IReadOnlyList<double>> Distribution);

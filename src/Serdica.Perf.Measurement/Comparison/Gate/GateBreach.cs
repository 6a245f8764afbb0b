namespace Serdica.Perf.Measurement.Comparisons.Gates;

/// <summary>A limit that was not kept.</summary>
/// <param name="Scenario">With the backend in front.</param>
/// <param name="Metric">For instance <c>throughput</c>.</param>
/// <param name="Before">Of the base; null for an objective.</param>
/// <param name="After">Of the candidate.</param>
/// <param name="Limit">The value that <paramref name="After"/> may not go beyond.</param>
/// <param name="Sentence">Metric, before, after, limit and evidence, for people.</param>
public sealed record GateBreach(string Scenario, string Metric, double? Before, double After, double Limit, string Sentence);

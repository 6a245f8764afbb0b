namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>The highest rate that held.</summary>
/// <param name="PerSecond">Null when none did.</param>
/// <param name="LowestFailed">The lowest rate above it that failed; null when none was tried.</param>
/// <param name="Confirmed">Whether a longer step at it held too.</param>
/// <param name="Sentence">The finding in words.</param>
public sealed record FoundMaximum(double? PerSecond, double? LowestFailed, bool Confirmed, string Sentence);

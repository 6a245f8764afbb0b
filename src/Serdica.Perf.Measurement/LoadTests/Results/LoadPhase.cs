namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>A stretch of a load test, on one time base for all of it.</summary>
/// <param name="Kind">What went on.</param>
/// <param name="Step">The step it belongs to; null of what comes before and between them.</param>
/// <param name="FromSeconds">From the begin of the test.</param>
/// <param name="ToSeconds">The same.</param>
/// <param name="BrokenOff">Whether the test ended in it, before its time.</param>
public sealed record LoadPhase(LoadPhaseKind Kind, string? Step, double FromSeconds, double ToSeconds, bool BrokenOff = false);

namespace Serdica.Perf.Measurement.Results;

/// <summary>Completions within one interval of the measured window.</summary>
/// <param name="OffsetMs">Begin of the interval, from the begin of the window.</param>
/// <param name="Count">Operations that completed in it.</param>
/// <param name="PerSecond">Their rate; the last interval is divided by the part of it that the window covers.</param>
/// <param name="P99Ms">99th percentile of their latency; null when none completed.</param>
public sealed record TimelineInterval(double OffsetMs, long Count, double PerSecond, double? P99Ms);

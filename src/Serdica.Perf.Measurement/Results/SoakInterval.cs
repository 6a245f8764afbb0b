namespace Serdica.Perf.Measurement.Results;

/// <summary>One interval of a soak.</summary>
/// <param name="OffsetSeconds">Its begin, from the begin of the load.</param>
/// <param name="LengthSeconds">Its length as it was.</param>
/// <param name="Completed">Operations that completed in it.</param>
/// <param name="PerSecond">Their rate.</param>
/// <param name="P99Ms">99th percentile of their response time; null when none completed.</param>
/// <param name="Gauges">By name, the mean of the samples in the interval; without those that had none.</param>
public sealed record SoakInterval(
    double OffsetSeconds,
    double LengthSeconds,
    long Completed,
    double PerSecond,
    double? P99Ms,
    IReadOnlyDictionary<string, double> Gauges);

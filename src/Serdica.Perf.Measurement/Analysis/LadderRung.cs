namespace Serdica.Perf.Measurement.Analysis;

/// <summary>One rung of a <see cref="CapacityLadder"/>.</summary>
/// <param name="Concurrency">Callers.</param>
/// <param name="ThroughputPerSecond">Completed operations a second; of several repeats the median.</param>
/// <param name="P95Ms">95th percentile of the latency; of several repeats the median.</param>
/// <param name="Growth">Throughput over that of the rung below, less one: 0.1 is 10 % more. Null for the lowest rung.</param>
/// <param name="P95Ratio">p95 over that of the rung below. Null for the lowest rung.</param>
/// <param name="Verdict">What the rung says.</param>
public sealed record LadderRung(
    int Concurrency, double ThroughputPerSecond, double P95Ms, double? Growth, double? P95Ratio, RungVerdict Verdict);

namespace Serdica.Perf.Measurement.Results;

/// <summary>From the last completion until the queue was seen idle; in no latency and in no throughput.</summary>
public sealed record Drain(double DurationMs);

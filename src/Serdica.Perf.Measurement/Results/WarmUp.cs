namespace Serdica.Perf.Measurement.Results;

/// <summary>What ran before the measured window and is in none of its figures.</summary>
public sealed record WarmUp(long Operations, double DurationMs);

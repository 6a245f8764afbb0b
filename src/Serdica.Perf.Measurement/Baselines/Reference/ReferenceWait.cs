namespace Serdica.Perf.Measurement.Baselines;

/// <summary>A wait that the reference names.</summary>
/// <param name="Rank">From 1.</param>
/// <param name="Name">As the database calls it.</param>
/// <param name="TimeMicroseconds">Null where only the name is printed.</param>
public sealed record ReferenceWait(int Rank, string Name, double? TimeMicroseconds);

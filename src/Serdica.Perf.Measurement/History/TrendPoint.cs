namespace Serdica.Perf.Measurement.Histories;

/// <summary>One figure at one commit, for whoever draws it.</summary>
/// <param name="Commit">The full id.</param>
/// <param name="At">When it was measured, UTC.</param>
/// <param name="Value">Geometric mean of the repeats.</param>
/// <param name="Unit">For instance <c>ms</c>; null for a plain count.</param>
public sealed record TrendPoint(string Commit, DateTimeOffset At, double Value, string? Unit);

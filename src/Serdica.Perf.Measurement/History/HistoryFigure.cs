namespace Serdica.Perf.Measurement.Histories;

/// <summary>A figure of a commit.</summary>
/// <param name="Value">Geometric mean of the repeats.</param>
/// <param name="Unit">For instance <c>ms</c>; null for a plain count.</param>
public sealed record HistoryFigure(double Value, string? Unit);

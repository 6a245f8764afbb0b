namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>How a backlog swung.</summary>
/// <param name="Cycles">How often its upper bound was reached.</param>
/// <param name="PeakBacklog">Operations that had arrived and not ended, at most.</param>
public sealed record OscillationFigures(int Cycles, int PeakBacklog);

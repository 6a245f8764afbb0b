namespace Serdica.Perf.Faults.Figures;

/// <summary>A fault that was done.</summary>
/// <param name="Ended">Timestamp of the moment when what was stopped ran again.</param>
internal sealed record StruckFault(PlannedFault Planned, long Began, long Ended, FaultEvidence Evidence);

/// <summary>What shows that a fault struck.</summary>
/// <param name="Value">Above zero when it did.</param>
internal sealed record FaultEvidence(double Value, string Sentence);

namespace Serdica.Perf.Faults.Figures;

/// <summary>A fault that was done.</summary>
/// <param name="Planned">As the plan has it.</param>
/// <param name="Ended">Timestamp of the moment when what was stopped ran again.</param>
/// <param name="Evidence">What shows it.</param>
internal sealed record StruckFault(PlannedFault Planned, long Began, long Ended, FaultEvidence Evidence);

/// <summary>What shows that a fault struck.</summary>
/// <param name="Value">Above zero when it did.</param>
/// <param name="Sentence">The same in words.</param>
internal sealed record FaultEvidence(double Value, string Sentence);

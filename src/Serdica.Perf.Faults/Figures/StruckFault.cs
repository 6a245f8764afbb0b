using Serdica.Perf.Faults.Plans;

namespace Serdica.Perf.Faults.Figures;

/// <summary>A fault that was done.</summary>
/// <param name="Planned">As the plan has it.</param>
/// <param name="Began">Timestamp.</param>
/// <param name="Ended">Timestamp of the moment when what was stopped ran again.</param>
/// <param name="Evidence">In words.</param>
internal sealed record StruckFault(PlannedFault Planned, long Began, long Ended, string Evidence);

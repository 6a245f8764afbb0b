namespace Serdica.Perf.Faults.Plans;

/// <summary>A fault of the plan cannot be done on this machine, so the run would show nothing; the message says why.</summary>
internal sealed class FaultImpossibleException(string message) : Exception(message);

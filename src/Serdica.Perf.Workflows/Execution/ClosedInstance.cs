namespace Serdica.Perf.Workflows;

/// <summary>An instance that has closed; reported to waiting callers after the commit.</summary>
/// <param name="Id">The instance.</param>
/// <param name="Status">Completed, Faulted or Cancelled.</param>
/// <param name="ContinuedAs">The instance that it was continued with.</param>
public readonly record struct ClosedInstance(Guid Id, InstanceStatus Status, Guid? ContinuedAs);

namespace Serdica.Perf.Workflows;

/// <summary>The right to report the result of one activity.</summary>
/// <param name="InstanceId">The instance that the activity belongs to.</param>
/// <param name="ActivityId">Id of the activity's signal.</param>
/// <param name="Token">Fencing token: the attempt. A lease with a lower token than the newest is void.</param>
public readonly record struct ActivityLease(Guid InstanceId, Guid ActivityId, int Token);

namespace Serdica.Perf.Workflows;

/// <summary>What a running activity may know besides the state.</summary>
/// <param name="InstanceId">The instance.</param>
/// <param name="BusinessKey">Its business key, if it has one.</param>
/// <param name="ActivityId">
/// Equal for all attempts of this activity and different for every other activity: pass it on as the idempotency key.
/// </param>
/// <param name="Attempt">1 for the first.</param>
/// <param name="CancellationToken">Fires at the activity's time limit and when the host must stop.</param>
public sealed record ActivityContext(
    Guid InstanceId, string? BusinessKey, Guid ActivityId, int Attempt, CancellationToken CancellationToken);

namespace Serdica.Perf.Workflows;

/// <summary>What a step may know besides its state.</summary>
/// <param name="InstanceId">The instance.</param>
/// <param name="BusinessKey">Its business key, if it has one.</param>
/// <param name="Now">The time of this turn: the database's clock, or the starter's at the start.</param>
/// <param name="Attempt">
/// How often what is handled now (a signal, a timer, a result) has been tried, this time included: 1 unless a handler failed on it.
/// </param>
public readonly record struct StepContext(Guid InstanceId, string? BusinessKey, DateTimeOffset Now, int Attempt = 1);

/// <summary>What a running activity may know besides the state.</summary>
/// <param name="InstanceId">The instance.</param>
/// <param name="BusinessKey">Its business key, if it has one.</param>
/// <param name="ActivityId">
/// Equal for all attempts of this activity and different for every other activity: pass it on as the idempotency key.
/// </param>
/// <param name="Attempt">1 for the first.</param>
/// <param name="CancellationToken">Fires at the activity's time limit and when the host must stop.</param>
public sealed record ActivityContext(
    Guid InstanceId,
    string? BusinessKey,
    Guid ActivityId,
    int Attempt,
    CancellationToken CancellationToken
);

/// <summary>Why an activity has failed for good.</summary>
/// <param name="Error">Type and message of the last error.</param>
/// <param name="Attempts">How often it was tried.</param>
public sealed record ActivityFailure(string Error, int Attempts);

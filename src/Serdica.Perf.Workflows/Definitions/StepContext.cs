namespace Serdica.Perf.Workflows;

/// <summary>What a step may know besides its state.</summary>
/// <param name="InstanceId">The instance.</param>
/// <param name="BusinessKey">Its business key, if it has one.</param>
/// <param name="Now">The time of this turn: the database's clock, or the starter's at the start.</param>
/// <param name="Attempt">
/// How often what is handled now (a signal, a timer, a result) has been tried, this time included: 1 unless a handler failed on it.
/// </param>
public readonly record struct StepContext(Guid InstanceId, string? BusinessKey, DateTimeOffset Now, int Attempt = 1);

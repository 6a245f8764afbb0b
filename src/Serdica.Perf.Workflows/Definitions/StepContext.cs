namespace Serdica.Perf.Workflows;

/// <summary>What a step may know besides its state.</summary>
/// <param name="InstanceId">The instance.</param>
/// <param name="BusinessKey">Its business key, if it has one.</param>
/// <param name="Now">The time of this turn: the database's clock, or the starter's at the start.</param>
public readonly record struct StepContext(Guid InstanceId, string? BusinessKey, DateTimeOffset Now);

namespace Serdica.Perf.Workflows;

/// <summary>The answer to a start.</summary>
/// <param name="Id">The instance: the new one, or the one that already had the business key.</param>
/// <param name="IsNew">Whether this call started it.</param>
public readonly record struct StartedInstance(Guid Id, bool IsNew);

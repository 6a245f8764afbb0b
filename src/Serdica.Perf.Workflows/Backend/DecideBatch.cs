namespace Serdica.Perf.Workflows;

/// <summary>Decides a claimed batch: one decision for each instance, in the same order.</summary>
public delegate Task<IReadOnlyList<Decision>> DecideBatch(ClaimedBatch batch);

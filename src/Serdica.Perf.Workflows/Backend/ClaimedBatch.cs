namespace Serdica.Perf.Workflows;

/// <summary>What one call of <see cref="IWorkflowBackend.ProcessAsync"/> has claimed.</summary>
/// <param name="Now">The database's clock at the claim.</param>
/// <param name="Instances">Each instance once.</param>
public sealed record ClaimedBatch(DateTimeOffset Now, IReadOnlyList<ClaimedInstance> Instances);

namespace Serdica.Perf.Workflows;

/// <summary>What all turns of one host or client share.</summary>
internal sealed class TurnEnvironment(WorkflowOptions options, TimeProvider time)
{
    public WorkflowOptions Options { get; } = options;

    public TimeProvider Time { get; } = time;

    /// <summary>Where definitions are found that others continue with by name.</summary>
    public WorkflowRegistry Registry { get; init; } = WorkflowRegistry.Empty;

    /// <summary>
    /// Whether the process that decides can run an activity at once. If so it is leased to it in the same commit,
    /// which saves a claim; if not it is left to whoever claims it.
    /// </summary>
    public Func<bool> CanRunActivity { get; init; } = static () => false;

    /// <summary>Closed children by family, once this process has read them.</summary>
    public Func<ChildFamily, IReadOnlyList<InstanceRecord?>?> FindChildren { get; init; } = static _ => null;

    public Guid NewId() => SortableId.Next(Time.GetUtcNow());
}

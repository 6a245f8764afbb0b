namespace Serdica.Perf.Workflows;

/// <summary>What one call of <see cref="IWorkflowBackend.ProcessAsync"/> has claimed.</summary>
/// <param name="Now">The database's clock at the claim.</param>
/// <param name="Instances">Each instance once.</param>
public sealed record ClaimedBatch(DateTimeOffset Now, IReadOnlyList<ClaimedInstance> Instances);

/// <summary>An instance that the caller holds for the length of the transaction, with its due signals.</summary>
public sealed class ClaimedInstance(InstanceRecord instance)
{
    public InstanceRecord Instance { get; } = instance;

    /// <summary>In order of due time, then id.</summary>
    public List<Signal> Signals { get; } = new(1);
}

/// <summary>Decides a claimed batch: one decision for each instance, in the same order.</summary>
public delegate Task<IReadOnlyList<Decision>> DecideBatch(ClaimedBatch batch);

/// <summary>What one call of <see cref="IWorkflowBackend.ProcessAsync"/> did.</summary>
/// <param name="Signals">Signals handled and committed.</param>
/// <param name="Conflict">
/// An instance was changed by somebody else meanwhile: nothing was written, everything comes again.
/// </param>
/// <param name="NextDue">When nothing was due: how long until the next signal is; <see langword="null"/> if none is known.</param>
public readonly record struct ProcessOutcome(int Signals, bool Conflict = false, TimeSpan? NextDue = null);

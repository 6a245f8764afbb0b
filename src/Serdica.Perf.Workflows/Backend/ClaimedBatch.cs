namespace Serdica.Perf.Workflows;

/// <summary>What one call of <see cref="IWorkflowBackend.ProcessAsync"/> has claimed.</summary>
/// <param name="Now">The database's clock at the claim.</param>
/// <param name="Instances">Each instance once.</param>
public sealed record ClaimedBatch(DateTimeOffset Now, IReadOnlyList<ClaimedInstance> Instances)
{
    /// <summary>
    /// What children that the decisions close report to parents that are not in the batch, by parent and in the order of the
    /// decisions; <see langword="null"/> when there is nothing, as nearly always.
    /// </summary>
    /// <param name="decisions">Of this batch.</param>
    public IReadOnlyDictionary<Guid, List<Signal>>? ReportsToParents(IReadOnlyList<Decision> decisions)
    {
        ArgumentNullException.ThrowIfNull(decisions);
        HashSet<Guid>? batch = null;
        Dictionary<Guid, List<Signal>>? reports = null;
        for (var i = 0; i < decisions.Count; i++)
        {
            foreach (var signal in CollectionsMarshal.AsSpan(decisions[i].Sent))
            {
                if (signal is not { Kind: SignalKind.ChildClosed, Due.IsNow: true })
                    continue;
                batch ??= [.. Instances.Select(static claimed => claimed.Instance.Id)];
                if (batch.Contains(signal.InstanceId))
                    continue;
                ref var ofParent = ref CollectionsMarshal.GetValueRefOrAddDefault(reports ??= [], signal.InstanceId, out _);
                (ofParent ??= []).Add(signal);
            }
        }

        return reports;
    }
}

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
public readonly record struct ProcessOutcome(int Signals, bool Conflict = false, TimeSpan? NextDue = null)
{
    /// <summary>The call waited in the database for something to come, so the next may follow at once.</summary>
    public bool Waited { get; init; }

    /// <summary>
    /// The backend has not searched everything, because it did so a moment ago (<see cref="ClaimRequest.MayPutOff"/>). It will when it
    /// is called after <see cref="NextDue"/>.
    /// </summary>
    public bool IsPutOff { get; init; }
}

namespace Serdica.Perf.Workflows;

/// <summary>The right to report the result of one activity.</summary>
/// <param name="InstanceId">The instance that the activity belongs to.</param>
/// <param name="ActivityId">Id of the activity's signal.</param>
/// <param name="Token">Fencing token: the attempt. A lease with a lower token than the newest is void.</param>
public readonly record struct ActivityLease(Guid InstanceId, Guid ActivityId, int Token);

/// <summary>The activity that the instance stands at.</summary>
internal sealed record PendingActivity
{
    /// <summary>Id of its signal; the same for all attempts.</summary>
    public required Guid Id { get; init; }

    /// <summary>The attempt that was leased last; 0 before the first.</summary>
    [JsonIgnore]
    public int Attempt { get; init; } = 1;

    /// <summary>As it is stored: nothing for the first attempt, which is the only one of most activities.</summary>
    [JsonPropertyName("attempt")]
    public int? AttemptUnlessFirst
    {
        get => Attempt == 1 ? null : Attempt;
        init => Attempt = value ?? 1;
    }

    /// <summary>That attempt has reported its failure: the signal is a retry that nobody holds a lease of.</summary>
    public bool Failed { get; init; }

    /// <summary>
    /// Tells this lease from one that another claim takes of the same attempt, after a claim whose commit was lost. None where
    /// the lease came with a new activity: its id is new.
    /// </summary>
    public Guid? Claim { get; init; }

    /// <summary>
    /// What the activity's one signal carries. A retry has another token than the lease of the attempt that failed, so
    /// neither that lease nor its extension can be mistaken for the retry, in whatever order they come.
    /// </summary>
    [JsonIgnore]
    public int Token => Failed ? -Attempt : Attempt;
}

/// <summary>An activity that this host holds the lease of.</summary>
internal sealed record LeasedActivity(ActivityLease Lease, WorkflowDefinition Definition, string Step, string? BusinessKey)
{
    /// <inheritdoc cref="PendingActivity.Claim"/>
    public Guid? Claim { get; init; }

    /// <summary>The state that is written in the same commit as the lease.</summary>
    public byte[] State { get; set; } = [];
}

namespace Serdica.Perf.Workflows;

/// <summary>An activity that this host holds the lease of.</summary>
internal sealed record LeasedActivity(
    ActivityLease Lease, WorkflowDefinition Definition, string Step, string? BusinessKey)
{
    /// <inheritdoc cref="PendingActivity.Claim"/>
    public Guid? Claim { get; init; }

    /// <summary>The state that is written in the same commit as the lease.</summary>
    public byte[] State { get; set; } = [];
}

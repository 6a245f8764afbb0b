namespace Serdica.Perf.Workflows;

/// <summary>What a call of <see cref="IWorkflowBackend.ProcessAsync"/> asks for.</summary>
/// <param name="MaxSignals">Bound of the batch in signals.</param>
public sealed record ClaimRequest(int MaxSignals)
{
    /// <summary>
    /// Bound of the batch in bytes of state, progress and payloads; default 16 MiB. It is soft: at least one instance is
    /// always claimed, and a backend may exceed it by one instance with its signals.
    /// </summary>
    public long MaxBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>
    /// Leaves due signals of the kind <see cref="SignalKind.Activity"/> where they are: this host has no place for another
    /// activity. The other due signals of such an instance are claimed.
    /// </summary>
    public bool SkipActivities { get; init; }

    /// <summary>
    /// Claims one instance with its due signals; the outcome's <see cref="ProcessOutcome.NextDue"/> is zero when others were left. Only
    /// asked of backends with <see cref="BackendCapabilities.OneByOne"/>.
    /// </summary>
    public bool OneInstance { get; init; }

    /// <summary>
    /// Claims from one part of the store; the outcome's <see cref="ProcessOutcome.NextDue"/> is zero when others have due signals. Only
    /// asked of backends with <see cref="BackendCapabilities.Parts"/>.
    /// </summary>
    public bool OnePart { get; init; }

    /// <summary>
    /// Whether a backend that would have to search all parts of its store may put that off when it has just done so; it then says by
    /// when (<see cref="ProcessOutcome.IsPutOff"/>).
    /// </summary>
    public bool MayPutOff { get; init; }

    /// <summary>
    /// Searches from the oldest due signal on, where a backend would otherwise begin near those that it has claimed last: the
    /// host knows that there are older ones.
    /// </summary>
    public bool FullPoll { get; init; }

    /// <summary>
    /// Cancelled when a handler holds the thread of the claim for too long. A backend with
    /// <see cref="BackendCapabilities.UndoesAbandonedClaims"/> then rolls the claim back from another thread.
    /// </summary>
    public CancellationToken Abandoned { get; init; }

    /// <summary>
    /// Definitions that this host does not have; their open instances are left alone, by backends with <see
    /// cref="BackendCapabilities.FiltersDefinitions"/>.
    /// </summary>
    public IReadOnlyList<DefinitionVersion> Unknown { get; init; } = [];

    /// <summary>
    /// Decides parents of instances that the batch closes, in the same transaction, after the batch itself: those that are not in
    /// it, are open and not held by others, and have no stored signal that is due. Their signals are the reports of their children
    /// (<see cref="ClaimedBatch.ReportsToParents"/>), and the decisions of the batch still hold. They no longer send a report that
    /// is decided. A decision without <see cref="Decision.Instance"/> leaves the reports to its instance as they are. A backend that
    /// does not call it, or gets <see langword="null"/>, stores all reports.
    /// </summary>
    public DecideBatch? DecideParents { get; init; }
}

/// <summary>How <see cref="IWorkflowBackend.SubmitAsync(IReadOnlyList{Submission}, DirectTurns, CancellationToken)"/> decides.</summary>
/// <param name="Decide">
/// As in <see cref="IWorkflowBackend.ProcessAsync"/>. A decision without <see cref="Decision.Instance"/> leaves the signals of its
/// instance undecided; they are stored.
/// </param>
public sealed record DirectTurns(DecideBatch Decide)
{
    /// <summary>
    /// Bound of state and progress that are read for one batch, in bytes; default 16 MiB. It is shared out evenly: an instance
    /// with more than its share is not decided. Parents have the same bound again.
    /// </summary>
    public long MaxBytes { get; init; } = 16 * 1024 * 1024;

    /// <inheritdoc cref="ClaimRequest.Abandoned"/>
    public CancellationToken Abandoned { get; init; }

    /// <inheritdoc cref="ClaimRequest.DecideParents"/>
    public DecideBatch? DecideParents { get; init; }
}

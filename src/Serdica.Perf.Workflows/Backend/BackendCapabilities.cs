namespace Serdica.Perf.Workflows;

/// <summary>What differs in kind between backends.</summary>
/// <param name="Durable">What was acknowledged survives a kill of every process.</param>
/// <param name="CrossProcessHints"><see cref="IWorkflowBackend.WaitForWorkAsync"/> hears of other processes.</param>
public sealed record BackendCapabilities(bool Durable, bool CrossProcessHints)
{
    /// <summary><see cref="IWorkflowBackend.WaitForClosesAsync"/> hears of other processes; otherwise clients look.</summary>
    public bool HintsCloses { get; init; }

    /// <summary>Claims can leave definitions alone that a host lacks (<see cref="ClaimRequest.Unknown"/>).</summary>
    public bool FiltersDefinitions { get; init; }

    /// <summary>
    /// Rolls a claim back when <see cref="ClaimRequest.Abandoned"/> is cancelled, even while its decisions are still being made.
    /// The engine then decides on the thread of the claim, which saves two wake-ups for each claim.
    /// </summary>
    public bool UndoesAbandonedClaims { get; init; }

    /// <summary>
    /// Decides signals in the transaction that would otherwise store them:
    /// <see cref="IWorkflowBackend.SubmitAsync(IReadOnlyList{Submission}, DirectTurns, CancellationToken)"/>.
    /// </summary>
    public bool DecidesDirectly { get; init; }

    /// <summary>
    /// One start, signal or message in each transaction, as in the Oracle AQ reference: the engine shares no commits, claims one
    /// instance at a time (<see cref="ClaimRequest.OneInstance"/>), and receives one message at a time. Receivers of messages wait in
    /// the database, so that nobody hints at messages.
    /// </summary>
    public bool OneByOne { get; init; }

    /// <summary>
    /// Parts that the store is divided into by the slots of instances (<see cref="SortableId.SlotOf(Guid)"/>, modulo the parts);
    /// default 1. A transaction that writes to several costs more than one for each, so commits are shared and claims are made by
    /// part (<see cref="ClaimRequest.OnePart"/>).
    /// </summary>
    public int Parts { get; init; } = 1;
}

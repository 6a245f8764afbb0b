namespace Serdica.Perf.Workflows;

/// <summary>
/// All that one turn of one instance writes. The engine makes it without touching the database; a backend
/// writes it without understanding it.
/// </summary>
public sealed class Decision
{
    /// <summary>The new content; <see langword="null"/> when the instance itself does not change.</summary>
    public InstanceRecord? Instance { get; set; }

    /// <summary>The version that must still stand in the database; -1 for an instance that is to be inserted.</summary>
    public long ExpectedVersion { get; set; } = -1;

    /// <summary>Children and continuations to insert; their ids are of the slot of this instance (<see cref="SortableId"/>).</summary>
    public List<InstanceRecord>? Started { get; set; }

    /// <summary>Signals to insert: to this instance, its children or its parent.</summary>
    public List<Signal>? Sent { get; set; }

    /// <summary>
    /// Signals of this instance (timers, leases) that must not come any more; removed before
    /// <see cref="Sent"/> is inserted, which may hold one with the same id.
    /// </summary>
    public List<Guid>? Withdrawn { get; set; }

    public List<DeadLetter>? DeadLetters { get; set; }

    /// <summary>
    /// Continuations to which the dedup keys of their predecessors are copied, after <see cref="Started"/> is inserted; none
    /// starts at an instance that is itself started here. A pair may come again: keys that are there already stay.
    /// </summary>
    public List<Continuation>? Continued { get; set; }

    /// <summary>For the next turn.</summary>
    internal void Clear()
    {
        Instance = null;
        ExpectedVersion = -1;
        Started = null;
        Sent = null;
        Withdrawn = null;
        DeadLetters = null;
        Continued = null;
    }

    internal void Start(InstanceRecord instance) => (Started ??= []).Add(instance);

    internal void Send(Signal signal) => (Sent ??= []).Add(signal);

    internal void Withdraw(Guid signalId) => (Withdrawn ??= []).Add(signalId);

    internal void Bury(DeadLetter letter) => (DeadLetters ??= []).Add(letter);

    internal void Continue(Guid from, Guid to) => (Continued ??= []).Add(new Continuation(from, to));
}

/// <summary>An instance that goes on as another one, which keeps to the dedup keys that the first has accepted.</summary>
/// <param name="From">The predecessor, which is closed.</param>
/// <param name="To">The instance that continues it.</param>
public readonly record struct Continuation(Guid From, Guid To);

namespace Serdica.Perf.Workflows;

/// <summary>Which dead letters are wanted. Those that are given restrict together; they come oldest first, then by signal id.</summary>
public sealed record DeadLetterQuery
{
    /// <value>The most letters that are returned; default 100. Each is read with its payload.</value>
    public int Limit { get; init; } = 100;

    /// <value>The last one of the page before; default none.</value>
    public DeadLetterPosition? After { get; init; }

    public DeadLetterReason? Reason { get; init; }

    public Guid? InstanceId { get; init; }

    /// <value>Name of the instance's definition.</value>
    public string? Definition { get; init; }

    /// <value>Name of the signal.</value>
    public string? Name { get; init; }

    /// <value>
    /// True for those whose instances are open, which can be requeued; false for those whose instances are closed or purged.
    /// </value>
    public bool? InstanceIsOpen { get; init; }

    /// <summary>Whether <see cref="Matches(InstanceRecord?)"/> can refuse anything.</summary>
    public bool LooksAtInstances => Definition is not null || InstanceIsOpen is not null;

    /// <summary>Whether the letter itself is wanted; for backends that filter outside of the database.</summary>
    public bool Matches(DeadLetter letter)
    {
        ArgumentNullException.ThrowIfNull(letter);
        return (After is not { } after || (letter.DeadAt, letter.Signal.Id).CompareTo((after.DeadAt, after.SignalId)) > 0)
            && (Reason is not { } reason || letter.Reason == reason)
            && (InstanceId is not { } id || letter.Signal.InstanceId == id)
            && (Name is null || letter.Signal.Name == Name);
    }

    /// <summary>Whether letters of this instance are wanted; <see langword="null"/> is one that is not there any more.</summary>
    public bool Matches(InstanceRecord? instance) =>
        (Definition is null || instance?.Definition == Definition)
        && (InstanceIsOpen is not { } open || open == (instance?.Status.IsClosed() == false));
}

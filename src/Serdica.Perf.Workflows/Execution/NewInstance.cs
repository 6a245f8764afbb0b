namespace Serdica.Perf.Workflows;

/// <summary>Where a new instance comes from.</summary>
internal readonly record struct NewInstance(
    Guid Id, string? BusinessKey, Guid? ParentId, Guid? ReportsAs, DateTimeOffset Now)
{
    /// <summary>Signals that its predecessor kept, in order.</summary>
    public List<BufferedSignal>? Inbox { get; init; }

    /// <summary>How many instances have started one another in this turn before it.</summary>
    public int Depth { get; init; }
}

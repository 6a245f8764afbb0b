namespace Serdica.Perf.Workflows;

/// <summary>What all turns of one host or client share.</summary>
internal sealed class TurnEnvironment(WorkflowOptions options, TimeProvider time)
{
    public WorkflowOptions Options { get; } = options;

    public TimeProvider Time { get; } = time;

    /// <summary>
    /// After this time a turn leaves the remaining signals to the next one, because handlers that are each fast enough may together
    /// exceed <see cref="WorkflowOptions.DecideTimeout"/>.
    /// </summary>
    public TimeSpan TurnLimit { get; set; } = TimeSpan.MaxValue;

    /// <summary>Timestamp of the beginning of the present turn or, in it, of the present handler. Read by other threads.</summary>
    public long CallBegan
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    }

    /// <summary>Where definitions are found that others continue with by name.</summary>
    public WorkflowRegistry Registry { get; init; } = WorkflowRegistry.Empty;

    /// <summary>
    /// Whether the process that decides can run an activity at once. If so it is leased to it in the same commit,
    /// which saves a claim; if not it is left to whoever claims it.
    /// </summary>
    public Func<bool> CanRunActivity { get; init; } = static () => false;

    /// <summary>Closed children by family, once this process has read them.</summary>
    public Func<ChildFamily, IReadOnlyList<InstanceRecord?>?> FindChildren { get; init; } = static _ => null;

    /// <summary>The same, where a process that decides may lease activities to itself.</summary>
    public TurnEnvironment RunningActivitiesIf(Func<bool> canRunActivity) =>
        new(Options, Time) { Registry = Registry, FindChildren = FindChildren, CanRunActivity = canRunActivity };

    public Guid NewId() => SortableId.Next(Time.GetUtcNow());

    /// <summary>For an instance that a client starts.</summary>
    public Guid NewId(string? businessKey) => businessKey is null ? NewId() : SortableId.NextFor(Time.GetUtcNow(), businessKey);

    /// <summary>For an instance that another one starts.</summary>
    public Guid NewId(Guid starter) => SortableId.NextBeside(Time.GetUtcNow(), starter);
}

/// <summary>Where a new instance comes from.</summary>
internal readonly record struct NewInstance(Guid Id, string? BusinessKey, Guid? ParentId, Guid? ReportsAs, DateTimeOffset Now)
{
    /// <summary>Signals that its predecessor kept, in order.</summary>
    public List<BufferedSignal>? Inbox { get; init; }

    public Guid? ContinuedFrom { get; init; }

    /// <summary>How many instances have started one another in this turn before it.</summary>
    public int Depth { get; init; }
}

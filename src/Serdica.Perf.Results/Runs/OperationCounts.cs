namespace Serdica.Perf.Results.Runs;

/// <summary>The final state of the operations of one scenario, counted in the database.</summary>
public sealed record OperationCounts
{
    public long Started { get; init; }

    public long Completed { get; init; }

    public long Failed { get; init; }

    /// <summary>Operations that had neither completed nor failed when the scenario ended.</summary>
    public long Running { get; init; }

    /// <summary>Dead letters beyond those that the scenario causes on purpose.</summary>
    public long DeadLettered { get; init; }

    /// <summary>Version conflicts that were not resolved.</summary>
    public long Conflicts { get; init; }

    /// <summary>Unfinished instances without a wait, a timer or a live lease.</summary>
    public long Stuck { get; init; }

    public long SignalsLeft { get; init; }

    /// <summary>Signals that were claimed more than once.</summary>
    public long Redeliveries { get; init; }

    /// <summary>Operations that started after their intended start.</summary>
    public long Late { get; init; }

    /// <summary>Operations that were planned and never started.</summary>
    public long Dropped { get; init; }

    /// <summary>Whether every started operation is accounted for exactly once.</summary>
    [JsonIgnore]
    public bool Balanced => Started == Completed + Failed + Running + DeadLettered;
}

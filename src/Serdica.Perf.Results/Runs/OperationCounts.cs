using System.Text.Json.Serialization;

namespace Serdica.Perf.Results.Runs;

/// <summary>Where the operations of one scenario ended up, counted in the database.</summary>
public sealed record OperationCounts
{
    public long Started { get; init; }

    public long Completed { get; init; }

    public long Failed { get; init; }

    /// <summary>Neither completed nor failed when the scenario ended.</summary>
    public long Running { get; init; }

    /// <summary>Dead letters beyond those that the scenario causes on purpose.</summary>
    public long DeadLettered { get; init; }

    /// <summary>Version conflicts that were left unresolved.</summary>
    public long Conflicts { get; init; }

    /// <summary>Instances that are not finished and have no wait, timer or live lease.</summary>
    public long Stuck { get; init; }

    public long SignalsLeft { get; init; }

    /// <summary>Signals that were handed out more than once.</summary>
    public long Redeliveries { get; init; }

    /// <summary>Operations that began after their intended start.</summary>
    public long Late { get; init; }

    /// <summary>Operations that were planned and never begun.</summary>
    public long Dropped { get; init; }

    /// <summary>True when every operation that was started is accounted for exactly once.</summary>
    [JsonIgnore]
    public bool Balanced => Started == Completed + Failed + Running + DeadLettered;
}

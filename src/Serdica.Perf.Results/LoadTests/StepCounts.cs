namespace Serdica.Perf.Results.LoadTests;

/// <summary>Where the operations of a step ended up.</summary>
public sealed record StepCounts
{
    /// <summary>Arrivals of the schedule; for a step without a schedule, started operations.</summary>
    public required long Offered { get; init; }

    public required long Started { get; init; }

    /// <summary>Completed operations, including those that failed on purpose.</summary>
    public required long Completed { get; init; }

    /// <summary>Operations that failed and were not meant to.</summary>
    public required long Failed { get; init; }

    /// <summary>Operations that had neither completed nor failed when the step ended.</summary>
    public required long Running { get; init; }

    /// <summary>Activities that failed on purpose. They are counted where they fail, until the drain has ended.</summary>
    public long InjectedFailures { get; init; }

    /// <summary>Operations that started more than 10 ms after their intended start.</summary>
    public long Late { get; init; }

    /// <summary>Arrivals that were never started, because no caller became free in time or the step was stopped early.</summary>
    public long Dropped { get; init; }

    [JsonIgnore]
    public bool Balanced => Started == Completed + Failed + Running && Offered == Started + Dropped;

    /// <summary>The sum over several generators.</summary>
    public static StepCounts Sum(IReadOnlyCollection<StepCounts> parts) =>
        new()
        {
            Offered = parts.Sum(part => part.Offered),
            Started = parts.Sum(part => part.Started),
            Completed = parts.Sum(part => part.Completed),
            Failed = parts.Sum(part => part.Failed),
            Running = parts.Sum(part => part.Running),
            InjectedFailures = parts.Sum(part => part.InjectedFailures),
            Late = parts.Sum(part => part.Late),
            Dropped = parts.Sum(part => part.Dropped),
        };
}

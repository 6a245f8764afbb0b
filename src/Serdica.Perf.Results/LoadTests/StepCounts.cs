using System.Text.Json.Serialization;

namespace Serdica.Perf.Results.LoadTests;

/// <summary>Where the operations of a step ended up.</summary>
public sealed record StepCounts
{
    /// <summary>Arrivals of the schedule; of a step without one, what was begun.</summary>
    public required long Offered { get; init; }

    public required long Started { get; init; }

    /// <summary>Those that failed on purpose among them.</summary>
    public required long Completed { get; init; }

    /// <summary>For real.</summary>
    public required long Failed { get; init; }

    /// <summary>Neither when the step ended.</summary>
    public required long Running { get; init; }

    /// <summary>Activities that failed because they were to, counted where they failed, until the drain had ended.</summary>
    public long InjectedFailures { get; init; }

    /// <summary>Began more than 10 ms after their intended start.</summary>
    public long Late { get; init; }

    /// <summary>Arrivals that were never begun, because no user was free for too long or the step was given up.</summary>
    public long Dropped { get; init; }

    [JsonIgnore]
    public bool Balanced => Started == Completed + Failed + Running && Offered == Started + Dropped;

    /// <summary>Of several generators together.</summary>
    public static StepCounts Sum(IReadOnlyCollection<StepCounts> parts) => new()
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

/// <summary>Failures of one kind in one part of an operation.</summary>
public sealed record StepError
{
    /// <summary>What was tried: <c>start</c>, <c>signal</c>, ...</summary>
    public required string Operation { get; init; }

    /// <summary>The exception's type, with the SQLSTATE where a database gave one.</summary>
    public required string Kind { get; init; }

    public required long Count { get; init; }

    public required string FirstMessage { get; init; }

    /// <summary>From the begin of the step.</summary>
    public required double FirstAtSeconds { get; init; }

    /// <summary>Whether the server refused for want of room, as a limiter does.</summary>
    public bool IsRefusal { get; init; }
}

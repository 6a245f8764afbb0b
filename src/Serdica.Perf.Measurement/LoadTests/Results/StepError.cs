namespace Serdica.Perf.Measurement.LoadTests;

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

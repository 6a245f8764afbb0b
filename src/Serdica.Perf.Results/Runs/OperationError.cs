namespace Serdica.Perf.Results.Runs;

/// <summary>Failed operations with the same cause in the same part.</summary>
public sealed record OperationError
{
    /// <summary>What was attempted: <c>start</c>, <c>signal</c>, ...; <c>operation</c> where parts are not known.</summary>
    public required string Operation { get; init; }

    /// <summary>The class of the failure, which means the same on every backend.</summary>
    public ErrorClass Class { get; init; }

    /// <summary>
    /// The server's own code: SQLSTATE of PostgreSQL, number of MongoDB, or <c>ORA-</c> with a number; null when no server has
    /// answered.
    /// </summary>
    public string? Code { get; init; }

    /// <summary>The exception's type, with the code where there is one.</summary>
    public required string Kind { get; init; }

    public required long Count { get; init; }

    /// <summary>The message of the first failure, without secrets.</summary>
    public required string FirstMessage { get; init; }

    /// <summary>The first failure, in seconds since the start of the window.</summary>
    public required double FirstAtSeconds { get; init; }

    /// <summary>Whether the server refused the call for lack of capacity, as a limiter does.</summary>
    public bool IsRefusal { get; init; }
}

/// <summary>Classes of failed operations.</summary>
public enum ErrorClass
{
    Other,

    /// <summary>No answer in time, or the server has stopped the call for its duration.</summary>
    Timeout,

    /// <summary>The server could not be reached, has ended the connection, or is not the one that writes.</summary>
    ConnectionLost,

    /// <summary>Another transaction was first: deadlock, serialisation failure, or a key that exists.</summary>
    Conflict,

    /// <summary>The server has answered with an error.</summary>
    Refused,

    /// <summary>The call succeeded with a result that is not the expected one.</summary>
    WrongResult,
}

namespace Serdica.Perf.Workflows;

/// <summary>A database call has failed.</summary>
/// <param name="message">What was tried; never holds a password.</param>
/// <param name="isTransient">
/// Whether the same call may succeed later (connection lost, server restarting, deadlock). A write that failed this way may
/// have been committed, unless <see cref="NothingWritten"/> says otherwise: repeat it with a business key or a dedup key.
/// </param>
/// <param name="inner">The driver's exception.</param>
public sealed class WorkflowBackendException(string message, bool isTransient, Exception? inner = null) : Exception(message, inner)
{
    public bool IsTransient { get; } = isTransient;

    /// <summary>
    /// The database has stated that nothing of this call was written, or was not asked to commit it, so that a repetition doubles
    /// nothing. Otherwise the outcome of a write is unknown: whole or not at all.
    /// </summary>
    public bool NothingWritten { get; init; }

    /// <summary>
    /// Whether one item alone may have caused this transient failure, because another transaction holds a lock that it needs. The other
    /// items may be written without it.
    /// </summary>
    public bool MayBeOneItem { get; init; }

    /// <summary>The class of the failure, which means the same on every backend.</summary>
    public BackendFailure Failure { get; init; }

    /// <summary>
    /// The server's own code: SQLSTATE of PostgreSQL, number of MongoDB, or <c>ORA-</c> with a number; null when no server has
    /// answered.
    /// </summary>
    public string? Code { get; init; }

    /// <summary>What the caller of a write gets when nobody knows whether it is durable.</summary>
    internal static WorkflowBackendException UnknownOutcome(string reason, Exception? inner) =>
        new(
            $"{reason} Whether the write is durable is unknown. Repeat a start with its business key and a signal with its "
                + "dedup key: what is there already is found, and nothing is doubled. Without a key, read the instance first.",
            isTransient: true,
            inner
        )
        {
            // Without a cause nobody has answered in time.
            Failure = inner switch
            {
                null => BackendFailure.Timeout,
                WorkflowBackendException cause => cause.Failure,
                _ => BackendFailure.Other,
            },
            Code = (inner as WorkflowBackendException)?.Code,
        };
}

/// <summary>Classes of failed database calls.</summary>
public enum BackendFailure
{
    Other,

    /// <summary>No answer in time, or the server has stopped the call for its duration.</summary>
    Timeout,

    /// <summary>The server could not be reached, has ended the connection, or is not the one that writes.</summary>
    ConnectionLost,

    /// <summary>Another transaction was first: deadlock, serialisation failure, or a key that exists.</summary>
    Conflict,

    /// <summary>The server has answered that it does not do this.</summary>
    Refused,
}

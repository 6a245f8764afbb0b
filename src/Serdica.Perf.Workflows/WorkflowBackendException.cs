namespace Serdica.Perf.Workflows;

/// <summary>A database call has failed.</summary>
/// <param name="message">What was tried; never holds a password.</param>
/// <param name="isTransient">
/// Whether the same call may succeed later (connection lost, server restarting, deadlock). A write that failed this way may
/// have been committed, unless <see cref="NothingWritten"/> says otherwise: repeat it with a business key or a dedup key.
/// </param>
/// <param name="inner">The driver's exception.</param>
public sealed class WorkflowBackendException(string message, bool isTransient, Exception? inner = null)
    : Exception(message, inner)
{
    public bool IsTransient { get; } = isTransient;

    /// <summary>
    /// The database has stated that nothing of this call was written, so that a repetition doubles nothing. Otherwise the
    /// outcome of a write is unknown: whole or not at all.
    /// </summary>
    public bool NothingWritten { get; init; }

    /// <summary>What the caller of a write gets when nobody knows whether it is durable.</summary>
    internal static WorkflowBackendException UnknownOutcome(string reason, Exception? inner) => new(
        $"{reason} Whether the write is durable is unknown. Repeat a start with its business key and a signal with its "
        + "dedup key: what is there already is found, and nothing is doubled. Without a key, read the instance first.",
        isTransient: true,
        inner);
}

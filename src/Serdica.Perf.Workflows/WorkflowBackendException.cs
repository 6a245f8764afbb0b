namespace Serdica.Perf.Workflows;

/// <summary>A database call has failed.</summary>
/// <param name="message">What was tried; never holds a password.</param>
/// <param name="isTransient">
/// The same call may succeed later (connection lost, server restarting, deadlock). A write that failed so may
/// have been committed all the same: repeat it with a business key or a dedup key.
/// </param>
/// <param name="inner">The driver's exception.</param>
public sealed class WorkflowBackendException(string message, bool isTransient, Exception? inner = null)
    : Exception(message, inner)
{
    public bool IsTransient { get; } = isTransient;
}

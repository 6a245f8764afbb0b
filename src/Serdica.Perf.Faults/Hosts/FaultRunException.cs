namespace Serdica.Perf.Faults.Hosts;

/// <summary>A run could not be finished; the message says why, and where to look.</summary>
internal sealed class FaultRunException(string message, Exception? cause = null) : Exception(message, cause)
{
    /// <summary>Whether the message says all that the user of a run needs.</summary>
    public static bool IsExpected(Exception error) =>
        error is FaultRunException or WorkflowBackendException or DatabaseStartException or ContainerEngineException;
}

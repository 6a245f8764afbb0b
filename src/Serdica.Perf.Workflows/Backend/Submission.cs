namespace Serdica.Perf.Workflows;

/// <summary>One item of a batch of <see cref="IWorkflowBackend.SubmitAsync"/>; the backend sets its outcome.</summary>
public abstract class Submission
{
    /// <summary>Bytes of the payloads and states that it writes.</summary>
    internal abstract long Size { get; }
}

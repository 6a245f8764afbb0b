namespace Serdica.Perf.Workflows;

/// <summary>One item of a batch of <see cref="IWorkflowBackend.SubmitAsync"/>; the backend sets its outcome.</summary>
public abstract class Submission
{
    /// <summary>
    /// Why this item alone has no outcome: its batch was written, this item was not stored, and the reason could not be read.
    /// Its caller gets the error; <see langword="null"/> otherwise.
    /// </summary>
    public WorkflowBackendException? Failure { get; set; }

    /// <summary>Bytes of the payloads and states that it writes.</summary>
    internal abstract long Size { get; }
}

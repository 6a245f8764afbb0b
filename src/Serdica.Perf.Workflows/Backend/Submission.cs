namespace Serdica.Perf.Workflows;

/// <summary>One item of a batch of <see cref="IWorkflowBackend.SubmitAsync"/>; the backend sets its outcome.</summary>
public abstract class Submission;

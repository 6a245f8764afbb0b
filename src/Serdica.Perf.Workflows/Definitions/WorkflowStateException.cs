namespace Serdica.Perf.Workflows;

/// <summary>A state cannot be written as JSON, read from it, or is over the limit.</summary>
public sealed class WorkflowStateException(string message, Exception? inner = null) : Exception(message, inner);

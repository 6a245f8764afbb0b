namespace Serdica.Perf.Workflows;

/// <summary>A batch was not decided within <see cref="WorkflowOptions.DecideTimeout"/>.</summary>
internal sealed class DecideTimeoutException(string message) : Exception(message);

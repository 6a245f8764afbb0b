namespace Serdica.Perf.Workflows;

/// <summary>No definition of this name, version or state type is registered with the client or host.</summary>
public sealed class UnknownDefinitionException(string message) : Exception(message);

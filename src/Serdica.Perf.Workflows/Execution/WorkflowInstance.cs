namespace Serdica.Perf.Workflows;

/// <summary>One instance as a client reads it.</summary>
/// <param name="Record">All that the database holds.</param>
/// <param name="State">The state, read.</param>
/// <param name="ContinuedAs">The instance that this one was continued with.</param>
public sealed record WorkflowInstance<TState>(InstanceRecord Record, TState State, Guid? ContinuedAs);

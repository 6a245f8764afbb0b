namespace Serdica.Perf.Workflows;

/// <summary>The answer to a start.</summary>
/// <param name="Id">The instance: the new one, or the one that already had the business key.</param>
/// <param name="IsNew">Whether this call started it.</param>
public readonly record struct StartedInstance(Guid Id, bool IsNew);

/// <summary>One instance as a client reads it.</summary>
/// <param name="Record">All that the database holds.</param>
/// <param name="State">The state, read.</param>
/// <param name="ContinuedAs">The instance that this one was continued with.</param>
public sealed record WorkflowInstance<TState>(InstanceRecord Record, TState State, Guid? ContinuedAs);

/// <summary>What is unusual about one signal.</summary>
public sealed record PublishOptions
{
    /// <value>The time from the write until the signal is due, by the database's clock. Default: due at once.</value>
    public TimeSpan Delay { get; init; }

    /// <value>An instance accepts one signal with this key, ever; default none. Makes a repeat after an error safe.</value>
    public string? DedupKey { get; init; }
}

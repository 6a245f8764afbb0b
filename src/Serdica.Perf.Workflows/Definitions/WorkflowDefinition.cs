namespace Serdica.Perf.Workflows;

/// <summary>A workflow in code: a name, a version and steps. Immutable; made by <see cref="Workflow.Define"/>.</summary>
public abstract class WorkflowDefinition
{
    private protected WorkflowDefinition(string name, int version, JsonSerializerOptions json)
    {
        Name = name;
        Version = version;
        Json = json;
    }

    public string Name { get; }

    public int Version { get; }

    internal JsonSerializerOptions Json { get; }

    /// <summary>Names of the steps in their order.</summary>
    public abstract IReadOnlyList<string> Steps { get; }

    /// <summary>Names of the external signals that some step waits for.</summary>
    public abstract IReadOnlySet<string> SignalNames { get; }

    internal abstract Turn ContinueTurn(TurnEnvironment environment, ClaimedInstance claimed, DateTimeOffset now);

    /// <exception cref="UnknownDefinitionException">A step names a definition that the registry lacks.</exception>
    internal abstract void Check(WorkflowRegistry registry);

    internal abstract Turn GiveUpTurn(TurnEnvironment environment, ClaimedInstance claimed, DateTimeOffset now, Refusal refusal);

    internal abstract IActivityStep? FindActivity(string step);

    /// <summary>Whether any of its steps is an activity.</summary>
    internal abstract bool HasActivities { get; }

    /// <inheritdoc/>
    public override string ToString() => $"{Name} v{Version}";
}

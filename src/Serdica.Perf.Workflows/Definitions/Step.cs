namespace Serdica.Perf.Workflows;

/// <summary>One step of a definition. Steps hold no data of an instance.</summary>
internal abstract class Step<TState>(string name)
    where TState : class
{
    public string Name { get; } = name;

    /// <summary>The external signal that this step waits for, if it does.</summary>
    public virtual string? SignalName => null;

    /// <summary>What the instance waits for while it stands here.</summary>
    public virtual WaitKinds Waits => WaitKinds.None;

    /// <exception cref="UnknownDefinitionException">The step names a definition that the registry lacks.</exception>
    public virtual void Check(WorkflowRegistry registry, WorkflowDefinition owner) { }

    /// <summary>Does the step, or sets up its wait and answers <see cref="Next.Stay"/>.</summary>
    public abstract Next Enter(TState state, Turn turn);

    /// <summary>Goes on after the wait with what has happened.</summary>
    public virtual Next Resume(TState state, Turn turn, in BufferedSignal occurrence) =>
        throw new InvalidOperationException($"Step '{Name}' does not wait.");

    /// <summary>The answer of user code after which nothing would wake the instance again, if it stayed.</summary>
    protected Next MovesOn(Next next) =>
        next.Kind != NextKind.Stay
            ? next
            : throw new InvalidOperationException(
                $"Step '{Name}' answered Next.Stay, but waits for nothing any more: only the handler of a signal can stay."
            );
}

/// <summary>Pure code between waits.</summary>
internal sealed class CodeStep<TState>(string name, Func<TState, StepContext, Next> run) : Step<TState>(name)
    where TState : class
{
    public override Next Enter(TState state, Turn turn) => MovesOn(run(state, turn.Context));
}

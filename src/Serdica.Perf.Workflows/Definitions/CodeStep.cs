namespace Serdica.Perf.Workflows;

/// <summary>Pure code between waits.</summary>
internal sealed class CodeStep<TState>(string name, Func<TState, StepContext, Next> run) : Step<TState>(name)
    where TState : class
{
    public override Next Enter(TState state, Turn turn) => run(state, turn.Context);
}

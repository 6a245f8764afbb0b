namespace Serdica.Perf.Workflows;

/// <summary>Completes this instance and starts another in the same commit.</summary>
internal sealed class ContinueStep<TState, TNext>(
    string name,
    WorkflowDefinition<TNext> definition,
    Func<TState, TNext> input) : Step<TState>(name)
    where TState : class
    where TNext : class
{
    public override Next Enter(TState state, Turn turn)
    {
        turn.ContinueWith(definition, input(state));
        return Next.Complete;
    }
}

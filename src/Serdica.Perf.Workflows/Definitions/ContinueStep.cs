namespace Serdica.Perf.Workflows;

/// <summary>Completes this instance and starts another in the same commit.</summary>
internal sealed class ContinueStep<TState, TNext>(string name, WorkflowDefinition<TNext> definition, Func<TState, TNext> input)
    : Step<TState>(name)
    where TState : class
    where TNext : class
{
    public override Next Enter(TState state, Turn turn)
    {
        turn.ContinueWith(definition, input(state));
        return Next.Complete;
    }
}

/// <summary>Completes this instance and starts another, of the newest registered version of a name, in the same commit.</summary>
internal sealed class ContinueByNameStep<TState, TNext>(string name, string definition, Func<TState, TNext> input) : Step<TState>(name)
    where TState : class
    where TNext : class
{
    public override void Check(WorkflowRegistry registry, WorkflowDefinition owner)
    {
        try
        {
            registry.Newest<TNext>(definition);
        }
        catch (UnknownDefinitionException e)
        {
            throw new UnknownDefinitionException($"Step '{Name}' of {owner} continues with '{definition}'. {e.Message}");
        }
    }

    public override Next Enter(TState state, Turn turn)
    {
        turn.ContinueWith(definition, input(state));
        return Next.Complete;
    }
}

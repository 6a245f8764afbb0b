namespace Serdica.Perf.Workflows;

/// <summary>Waits for a durable timer.</summary>
internal sealed class DelayStep<TState>(string name, Func<TState, StepContext, Due> due) : Step<TState>(name)
    where TState : class
{
    public override WaitKinds Waits => WaitKinds.Timer;

    public override Next Enter(TState state, Turn turn)
    {
        turn.SetTimer(Name, due(state, turn.Context));
        return Next.Stay;
    }

    public override Next Resume(TState state, Turn turn, in BufferedSignal occurrence)
    {
        turn.Progress = turn.Progress with { TimerId = null };
        return Next.Step;
    }
}

namespace Serdica.Perf.Workflows;

/// <summary>Waits for an external signal, with an optional time limit.</summary>
internal sealed class WaitStep<TState, TPayload>(
    string name,
    string signalName,
    JsonSerializerOptions json,
    Func<TState, TPayload, StepContext, Next> handle,
    TimeSpan? timeout,
    Func<TState, StepContext, Next>? onTimeout
) : Step<TState>(name)
    where TState : class
{
    private readonly JsonTypeInfo<TPayload> _payloadType = (JsonTypeInfo<TPayload>)json.GetTypeInfo(typeof(TPayload));

    public override string SignalName => signalName;

    public override WaitKinds Waits => timeout is null ? WaitKinds.External : WaitKinds.External | WaitKinds.Timer;

    public override Next Enter(TState state, Turn turn)
    {
        if (timeout is { } limit)
            turn.SetTimer(Name, Due.After(limit));
        return Next.Stay;
    }

    public override Next Resume(TState state, Turn turn, in BufferedSignal occurrence)
    {
        if (occurrence.Kind == SignalKind.Timer)
        {
            turn.Progress = turn.Progress with { TimerId = null };
            return onTimeout!(state, turn.Context);
        }

        // A signal without payload hands the default to a handler that takes it; `Publish` without payload.
        var payload = occurrence.Payload.Length == 0 ? default! : JsonSerializer.Deserialize(occurrence.Payload, _payloadType)!;
        return handle(state, payload, turn.Context);
    }
}

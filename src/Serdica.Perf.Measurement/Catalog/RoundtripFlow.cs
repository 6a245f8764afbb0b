namespace Serdica.Perf.Measurement.Catalog;

/// <summary>The plain round trip: a first step, a wait for the signal, a last step.</summary>
internal static class RoundtripFlow
{
    /// <summary>The name of the signal, in this flow and in others that <see cref="ResumeAsync"/> resumes.</summary>
    public const string Resume = "resume";

    public static WorkflowDefinition<RoundtripState> Definition { get; } = Define(state => state.LastSteps++);

    /// <summary>The round trip with a last step that blocks its worker for a while, as slow code would.</summary>
    public static WorkflowDefinition<RoundtripState> SlowDefinition(TimeSpan delay) =>
        Define(state =>
        {
            Thread.Sleep(delay);
            state.LastSteps++;
        });

    public static RoundtripState Begin(int operation) => new() { Operation = operation };

    /// <summary>Sends the signal of an operation.</summary>
    public static Task<PublishOutcome> ResumeAsync(
        WorkflowClient client,
        Guid instanceId,
        int operation,
        CancellationToken cancellationToken
    ) => client.SignalJsonAsync(instanceId, Resume, CorrelatedPayload.WriteJson(operation), null, cancellationToken);

    /// <returns>Null when the instance of an operation is as expected, otherwise the problem.</returns>
    public static string? Examine(int operation, InstanceRecord record) =>
        Expect.Version(record, 1)
        ?? Expect.State<RoundtripState>(record, state =>
            state.Operation == operation
            && state is { FirstSteps: 1, Signals: 1, LastSteps: 1 }
            && state.Correlation == CorrelatedPayload.CorrelationOf(operation)
        );

    private static WorkflowDefinition<RoundtripState> Define(Action<RoundtripState> lastStep) =>
        Workflow
            .Define<RoundtripState>("signal-roundtrip")
            .Do("first-step", state => state.FirstSteps++)
            .WaitFor<CorrelatedPayload>(Resume, (state, payload) =>
            {
                state.Signals++;
                state.Correlation = payload.Correlation;
            })
            .Do("last-step", lastStep)
            .Build();
}

/// <summary>The state of the plain round trip: which steps ran, and how many times.</summary>
internal sealed class RoundtripState
{
    public int Operation { get; set; }

    public int FirstSteps { get; set; }

    public int Signals { get; set; }

    public int LastSteps { get; set; }

    public string? Correlation { get; set; }
}

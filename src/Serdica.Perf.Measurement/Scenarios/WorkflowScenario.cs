namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// A scenario for a user's own workflow. An operation starts an instance, sends it the signals it waits for, and ends when the
/// instance has completed; then the state of every instance is read back and checked.
/// </summary>
/// <typeparam name="TState">The state of the workflow.</typeparam>
public sealed record WorkflowScenario<TState>
    where TState : class
{
    /// <summary>Lower case with hyphens, without the backend.</summary>
    public required string Name { get; init; }

    /// <summary>What the scenario measures, in one sentence.</summary>
    public required string Description { get; init; }

    /// <summary>
    /// The workflow. It must wait for a signal at least once, because an instance that completes in its start is not seen to
    /// complete.
    /// </summary>
    public required WorkflowDefinition<TState> Definition { get; init; }

    /// <summary>The first state of an operation's instance, by the operation's number.</summary>
    public required Func<int, TState> Start { get; init; }

    /// <summary>Sends a started instance the signals it waits for; the response to the last one must be that it was accepted.</summary>
    public required Func<WorkflowClient, Guid, int, CancellationToken, Task<PublishOutcome>> Signal { get; init; }

    /// <summary>
    /// Whether a completed instance has the state that its operation must leave. State that differs between operations reveals
    /// instances that were mixed up.
    /// </summary>
    public required Func<TState, int, bool> IsExpected { get; init; }

    /// <value>The number of operations in the measured window; default 1,000.</value>
    public int Operations { get; init; } = 1_000;

    /// <value>The number of callers, each of which waits for its own completion; default 16.</value>
    public int Concurrency { get; init; } = 16;

    /// <value>The number of signal workers; default 2.</value>
    public int Workers { get; init; } = 2;

    /// <summary>The declaration of the scenario for a run.</summary>
    public Scenario ToScenario() =>
        new()
        {
            Name = Name,
            Tier = Tiers.Smoke,
            Family = ScenarioFamilies.OwnWorkflow,
            Description = Description,
            Parameters = new() { Operations = Operations, Concurrency = Concurrency, Workers = Workers, Load = LoadModel.Closed },
            CreateWorkload = (store, parameters) => new WorkflowScenarioWorkload<TState>(this, store, parameters),
        };
}

/// <summary>The workload of a <see cref="WorkflowScenario{TState}"/>.</summary>
internal sealed class WorkflowScenarioWorkload<TState>(
    WorkflowScenario<TState> scenario,
    IScenarioStore store,
    ScenarioParameters parameters
) : HostedWorkload(store, EngineSettings.Options(parameters))
    where TState : class
{
    /// <inheritdoc/>
    public override bool CanBeEndless => true;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [scenario.Definition];

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp) =>
        new RoundtripOperations<TState>(
            count,
            Backend,
            Client,
            scenario.Definition,
            scenario.Start,
            parameters.StepDelayMs is { } delay ? SlowSignal(FromMilliseconds(delay)) : scenario.Signal,
            (operation, record) =>
                Expect.State<TState>(record, state => scenario.IsExpected(state, operation), scenario.Definition.Json)
        );

    /// <summary>The definition is the user's and stays as it is; the caller is what can be made slow.</summary>
    private Func<WorkflowClient, Guid, int, CancellationToken, Task<PublishOutcome>> SlowSignal(TimeSpan delay) =>
        async (client, id, operation, cancellationToken) =>
        {
            await Task.Delay(delay, cancellationToken);
            return await scenario.Signal(client, id, operation, cancellationToken);
        };
}

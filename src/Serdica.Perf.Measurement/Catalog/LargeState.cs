namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// The round trip with a state of 64 KB that the signal replaces completely: it is written, read, and written again as a whole.
/// </summary>
internal sealed class LargeState(IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, EngineSettings.Options(parameters))
{
    private static readonly WorkflowDefinition<State> Definition = Workflow
        .Define<State>("large-state")
        .Do("first-step", state => state.FirstSteps++)
        .WaitFor<CorrelatedPayload>(RoundtripFlow.Resume, (state, payload) =>
        {
            state.Signals++;
            state.Correlation = payload.Correlation;
            state.CameIntact = state.Content == LargeContent.Of(state.Operation, round: 0);
            state.Content = LargeContent.Of(state.Operation, round: 1);
        })
        .Do("last-step", state => state.LastSteps++)
        .Build();

    public override bool CanBeEndless => true;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [Definition];

    public override OperationSet CreateOperations(int count, bool warmUp) =>
        new RoundtripOperations<State>(
            count,
            Backend,
            Client,
            Definition,
            operation => new State { Operation = operation, Content = LargeContent.Of(operation, round: 0) },
            RoundtripFlow.ResumeAsync,
            Examine
        );

    private static string? Examine(int operation, InstanceRecord record) =>
        Expect.Version(record, 1)
        ?? (record.State.Length >= LargeContent.Bytes ? null : $"the state of instance {record.Id} has only {record.State.Length} bytes")
        ?? Expect.State<State>(record, state =>
            state.Operation == operation
            && state is { FirstSteps: 1, Signals: 1, LastSteps: 1, CameIntact: true }
            && state.Correlation == CorrelatedPayload.CorrelationOf(operation)
            && state.Content == LargeContent.Of(operation, round: 1)
        );

    private sealed class State
    {
        public int Operation { get; set; }

        public int FirstSteps { get; set; }

        public int Signals { get; set; }

        public int LastSteps { get; set; }

        public string? Correlation { get; set; }

        /// <summary>Whether the first content was unchanged when it came back from the database.</summary>
        public bool CameIntact { get; set; }

        public string? Content { get; set; }
    }
}

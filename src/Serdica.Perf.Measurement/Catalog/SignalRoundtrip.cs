namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Starts an instance that does a first step and waits; publishes the signal; a worker resumes the instance, which does a last
/// step and completes.
/// </summary>
internal sealed class SignalRoundtrip(IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, EngineSettings.Options(parameters))
{
    private readonly WorkflowDefinition<RoundtripState> _definition = parameters.StepDelayMs is { } delay
        ? RoundtripFlow.SlowDefinition(FromMilliseconds(delay))
        : RoundtripFlow.Definition;

    public override bool CanBeEndless => true;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [_definition];

    public override OperationSet CreateOperations(int count, bool warmUp) =>
        new RoundtripOperations<RoundtripState>(
            count,
            Backend,
            Client,
            _definition,
            RoundtripFlow.Begin,
            RoundtripFlow.ResumeAsync,
            RoundtripFlow.Examine
        );
}

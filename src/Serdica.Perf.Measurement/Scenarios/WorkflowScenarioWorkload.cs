using Serdica.Perf.Measurement.Load;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Verification;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What a <see cref="WorkflowScenario{TState}"/> does with a store.</summary>
internal sealed class WorkflowScenarioWorkload<TState>(
    WorkflowScenario<TState> scenario, IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, EngineSettings.Options(parameters))
    where TState : class
{
    /// <inheritdoc/>
    public override bool CanBeEndless => true;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [scenario.Definition];

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp) => new RoundtripOperations<TState>(
        count,
        Backend,
        Client,
        scenario.Definition,
        scenario.Start,
        scenario.Signal,
        (operation, record) => Expect.State<TState>(record, state => scenario.IsExpected(state, operation)));
}

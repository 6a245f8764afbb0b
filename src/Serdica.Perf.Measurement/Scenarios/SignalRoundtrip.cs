using Serdica.Perf.Measurement.Load;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// Start an instance that does a first step and waits; publish the signal; a worker resumes it, it does a last step and
/// completes.
/// </summary>
public sealed class SignalRoundtrip(IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, parameters.Workers)
{
    protected override IReadOnlyList<WorkflowDefinition> Definitions => [RoundtripFlow.Definition];

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp) => new RoundtripOperations<RoundtripState>(
        count, Backend, Client, RoundtripFlow.Definition, RoundtripFlow.Begin, RoundtripFlow.Examine);
}

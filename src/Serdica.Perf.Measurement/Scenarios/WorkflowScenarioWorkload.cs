using System.Diagnostics;
using Serdica.Perf.Measurement.Load;
using Serdica.Perf.Measurement.Recording;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Verification;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What a <see cref="WorkflowScenario{TState}"/> does with a store.</summary>
internal sealed class WorkflowScenarioWorkload<TState>(
    WorkflowScenario<TState> scenario, IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, parameters.Workers)
    where TState : class
{
    protected override IReadOnlyList<WorkflowDefinition> Definitions => [scenario.Definition];

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, scenario, Backend, Client);

    private sealed class Operations : OperationSet
    {
        private readonly WorkflowScenario<TState> _scenario;
        private readonly IWorkflowBackend _backend;
        private readonly WorkflowClient _client;
        private readonly Guid[] _ids;
        private readonly ConcurrentLatencyRecorder _start;
        private readonly ConcurrentLatencyRecorder _publish;
        private readonly ConcurrentLatencyRecorder _completion;

        public Operations(int count, WorkflowScenario<TState> scenario, IWorkflowBackend backend, WorkflowClient client)
            : base(count)
        {
            _scenario = scenario;
            _backend = backend;
            _client = client;
            _ids = new Guid[count];
            _start = Phases.Add(PhaseNames.Start);
            _publish = Phases.Add(PhaseNames.SignalPublish);
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
        }

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var begin = Stopwatch.GetTimestamp();
            var started = await _client
                .StartAsync(_scenario.Definition, _scenario.Start(operation), null, cancellationToken).ConfigureAwait(false);
            var durable = Stopwatch.GetTimestamp();
            _start.Record(begin, durable);
            _ids[operation] = started.Id;

            // Watched before the signal: the host may be quicker than the answer to it.
            var closed = _client.WatchClose(started.Id);
            var outcome = await _scenario.Signal(_client, started.Id, operation, cancellationToken).ConfigureAwait(false);
            var published = Stopwatch.GetTimestamp();
            _publish.Record(durable, published);
            Expect.Accepted(outcome, started.Id);
            return Expect.CompletedAsync(closed, published, _completion);
        }

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            InstanceAudit.RunAsync(
                _backend,
                _ids.AsMemory(0, launched),
                (operation, record) => Expect.State<TState>(record, state => _scenario.IsExpected(state, operation)),
                cancellationToken);
    }
}

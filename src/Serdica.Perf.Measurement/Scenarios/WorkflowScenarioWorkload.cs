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
    /// <inheritdoc/>
    public override bool CanBeEndless => true;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [scenario.Definition];

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, scenario, Backend, Client);

    private sealed class Operations : OperationSet
    {
        private readonly WorkflowScenario<TState> _scenario;
        private readonly IWorkflowBackend _backend;
        private readonly WorkflowClient _client;
        private readonly SampledInstances _instances;
        private readonly ConcurrentLatencyRecorder _start;
        private readonly ConcurrentLatencyRecorder _publish;
        private readonly ConcurrentLatencyRecorder _completion;

        public Operations(int count, WorkflowScenario<TState> scenario, IWorkflowBackend backend, WorkflowClient client)
            : base(count)
        {
            _scenario = scenario;
            _backend = backend;
            _client = client;
            _instances = new(count, InstanceAudit.MostKept);
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
            _instances.Add(operation, started.Id);

            // Watched before the signal: the host may be quicker than the answer to it.
            var closed = _client.WatchClose(started.Id);
            try
            {
                var outcome = await _scenario.Signal(_client, started.Id, operation, cancellationToken).ConfigureAwait(false);
                var published = Stopwatch.GetTimestamp();
                _publish.Record(durable, published);
                Expect.Accepted(outcome, started.Id);
                return Expect.CompletedAsync(closed, published, _completion);
            }
            catch
            {
                // Nothing will close it, and the client would remember it for as long as it lives.
                _client.StopWatching(started.Id);
                throw;
            }
        }

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            InstanceAudit.RunAsync(
                _backend,
                _instances.Of(launched),
                (index, record) => Expect.State<TState>(record, state => _scenario.IsExpected(state, index * _instances.Stride)),
                cancellationToken,
                launched);
    }
}

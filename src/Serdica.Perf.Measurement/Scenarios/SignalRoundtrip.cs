using System.Diagnostics;
using Serdica.Perf.Measurement.Load;
using Serdica.Perf.Measurement.Recording;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Verification;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// Start an instance that does a first step and waits; publish the signal; a worker resumes it, it does a last step and
/// completes.
/// </summary>
public sealed class SignalRoundtrip(IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, parameters.Workers)
{
    private const string Resume = "resume";

    /// <summary>Ids that are kept for the audit, which reads a sample of these; an hour of operations would fill the memory.</summary>
    private const int MostKept = 10 * InstanceAudit.MaxInstances;

    private static readonly WorkflowDefinition<State> Definition = Workflow.Define<State>("signal-roundtrip")
        .Do("first-step", state => state.FirstSteps++)
        .WaitFor<CorrelatedPayload>(Resume, (state, payload) =>
        {
            state.Signals++;
            state.Correlation = payload.Correlation;
        })
        .Do("last-step", state => state.LastSteps++)
        .Build();

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [Definition];

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, Backend, Client);

    private sealed class State
    {
        public int Operation { get; set; }

        public int FirstSteps { get; set; }

        public int Signals { get; set; }

        public int LastSteps { get; set; }

        public string? Correlation { get; set; }
    }

    private sealed class Operations : OperationSet
    {
        private readonly IWorkflowBackend _backend;
        private readonly WorkflowClient _client;
        private readonly Guid[] _ids;
        private readonly int _stride;
        private readonly ConcurrentLatencyRecorder _start;
        private readonly ConcurrentLatencyRecorder _publish;
        private readonly ConcurrentLatencyRecorder _completion;

        public Operations(int count, IWorkflowBackend backend, WorkflowClient client)
            : base(count)
        {
            _backend = backend;
            _client = client;
            _stride = (count - 1) / MostKept + 1;
            _ids = new Guid[(count - 1) / _stride + 1];
            _start = Phases.Add(PhaseNames.Start);
            _publish = Phases.Add(PhaseNames.SignalPublish);
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
        }

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var begin = Stopwatch.GetTimestamp();
            var started = await _client
                .StartAsync(Definition, new State { Operation = operation }, null, cancellationToken).ConfigureAwait(false);
            var durable = Stopwatch.GetTimestamp();
            _start.Record(begin, durable);
            if (operation % _stride == 0)
                _ids[operation / _stride] = started.Id;

            // Watched before it is published: the host may be quicker than the answer to the publish.
            var closed = _client.WatchClose(started.Id);
            var outcome = await _client
                .SignalJsonAsync(started.Id, Resume, CorrelatedPayload.WriteJson(operation), null, cancellationToken)
                .ConfigureAwait(false);
            var published = Stopwatch.GetTimestamp();
            _publish.Record(durable, published);
            Expect.Accepted(outcome, started.Id);
            return CompleteAsync(closed, published);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            await InstanceAudit.RunAsync(
                _backend,
                _ids.AsMemory(0, (launched + _stride - 1) / _stride),
                (index, record) => Examine(index * _stride, record),
                cancellationToken,
                launched).ConfigureAwait(false);

        private async Task CompleteAsync(Task<ClosedInstance> closed, long published)
        {
            Expect.Completed(await closed.ConfigureAwait(false));
            _completion.Record(published, Math.Max(published, Stopwatch.GetTimestamp()));
        }

        private static string? Examine(int operation, InstanceRecord record) =>
            Expect.Version(record, 1)
            ?? Expect.State<State>(record, state =>
                state.Operation == operation
                && state is { FirstSteps: 1, Signals: 1, LastSteps: 1 }
                && state.Correlation == CorrelatedPayload.CorrelationOf(operation));
    }
}

using System.Diagnostics;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Measurement.Verification;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Instances are started and wait; then an outside client, on a backend object of its own, resumes each by its business
/// key. An operation is one resume: what the starts cost is the phase <c>start</c>, before the window.
/// </summary>
public sealed class ExternalResume(IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, EngineSettings.Options(parameters))
{
    private const string Resume = "external-resume";

    private static readonly WorkflowDefinition<State> Definition = Workflow.Define<State>("synthetic-external-resume")
        .Do("prepare", state => state.Prepared++)
        .WaitFor<CorrelatedPayload>(Resume, (state, payload) =>
        {
            state.Resumes++;
            state.Correlation = payload.Correlation;
        })
        .Do("finish", state => state.Finished++)
        .Build();

    private OutsideClient? _outside;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [Definition];

    /// <inheritdoc/>
    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        await base.OpenAsync(cancellationToken).ConfigureAwait(false);
        _outside = new OutsideClient(Store, Registry, Options);
    }

    /// <inheritdoc/>
    public override OperationSet CreateOperations(int count, bool warmUp) =>
        new Operations(count, Backend, Client, _outside!.Client, parameters.Concurrency, warmUp ? "warm-up" : "resume");

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (_outside is not null)
            await _outside.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    private sealed class State
    {
        public string? Key { get; set; }

        public int Prepared { get; set; }

        public int Resumes { get; set; }

        public int Finished { get; set; }

        public string? Correlation { get; set; }
    }

    private sealed class Operations : OperationSet
    {
        private readonly IWorkflowBackend _backend;
        private readonly WorkflowClient _starter;
        private readonly WorkflowClient _outside;
        private readonly int _concurrency;
        private readonly string _keyPrefix;
        private readonly Guid[] _ids;
        private readonly ConcurrentLatencyRecorder _start;
        private readonly ConcurrentLatencyRecorder _publish;
        private readonly ConcurrentLatencyRecorder _completion;

        public Operations(
            int count, IWorkflowBackend backend, WorkflowClient starter, WorkflowClient outside, int concurrency, string keyPrefix)
            : base(count)
        {
            _backend = backend;
            _starter = starter;
            _outside = outside;
            _concurrency = concurrency;
            _keyPrefix = keyPrefix;
            _ids = new Guid[count];
            _start = Phases.Add(PhaseNames.Start);
            _publish = Phases.Add(PhaseNames.SignalPublish);
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
        }

        public override Task PrepareAsync(CancellationToken cancellationToken) => Parallel.ForAsync(
            0,
            Count,
            new ParallelOptions { MaxDegreeOfParallelism = _concurrency, CancellationToken = cancellationToken },
            async (operation, token) =>
            {
                var begin = Stopwatch.GetTimestamp();
                var key = Key(operation);
                var started = await _starter.StartAsync(Definition, new State { Key = key }, key, token).ConfigureAwait(false);
                _start.Record(begin, Stopwatch.GetTimestamp());
                _ids[operation] = started.Id;
            });

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var closed = _starter.WatchClose(_ids[operation]);
            var begin = Stopwatch.GetTimestamp();
            var payload = new CorrelatedPayload(CorrelatedPayload.CorrelationOf(operation), "");
            var outcome = await _outside
                .SignalByKeyAsync(Key(operation), Resume, payload, null, cancellationToken).ConfigureAwait(false);
            var published = Stopwatch.GetTimestamp();
            _publish.Record(begin, published);
            Expect.Accepted(outcome, Key(operation));
            return Expect.CompletedAsync(closed, published, _completion);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            await InstanceAudit.RunAsync(_backend, _ids, Examine, cancellationToken).ConfigureAwait(false);

        private string Key(int operation) => $"{_keyPrefix}-{operation}";

        private string? Examine(int operation, InstanceRecord record) =>
            Expect.Version(record, 1)
            ?? Expect.State<State>(record, state =>
                state.Key == Key(operation)
                && state is { Prepared: 1, Resumes: 1, Finished: 1 }
                && state.Correlation == CorrelatedPayload.CorrelationOf(operation));
    }
}

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Instances are started and wait; then a client outside, with its own backend object, resumes each by its business key. An
/// operation is one resume; the starts have the phase <c>start</c> before the window.
/// </summary>
internal sealed class ExternalResume(IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, EngineSettings.Options(parameters))
{
    private const string Resume = "external-resume";

    private static readonly WorkflowDefinition<State> Definition = Workflow
        .Define<State>("synthetic-external-resume")
        .Do("prepare", state => state.Prepared++)
        .WaitFor<CorrelatedPayload>(Resume, (state, payload) =>
        {
            state.Resumes++;
            state.Correlation = payload.Correlation;
        })
        .Do("finish", state => state.Finished++)
        .Build();

    private OutsideClient? _outside;

    private int Concurrency => parameters.Concurrency;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [Definition];

    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        await base.OpenAsync(cancellationToken);
        _outside = new OutsideClient(Store, Registry, Options);
    }

    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, this, KeyPrefix(warmUp, "resume"));

    public override async ValueTask DisposeAsync()
    {
        if (_outside is not null)
            await _outside.DisposeAsync();
        await base.DisposeAsync();
    }

    private sealed class State
    {
        public string? Key { get; set; }

        public int Prepared { get; set; }

        public int Resumes { get; set; }

        public int Finished { get; set; }

        public string? Correlation { get; set; }
    }

    private sealed class Operations : InstanceOperations
    {
        private readonly ExternalResume _workload;
        private readonly string _keyPrefix;
        private readonly ConcurrentLatencyRecorder _completion;

        public Operations(int count, ExternalResume workload, string keyPrefix)
            : base(count)
        {
            _workload = workload;
            _keyPrefix = keyPrefix;
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
        }

        public override Task PrepareAsync(CancellationToken cancellationToken) =>
            ForEachAsync(
                _workload.Concurrency,
                async (operation, token) =>
                    await StartAsync(operation, _workload.Client, Definition, new State { Key = Key(operation) }, Key(operation), token),
                cancellationToken
            );

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var closed = _workload.Client.WatchClose(Id(operation));
            var payload = new CorrelatedPayload(CorrelatedPayload.CorrelationOf(operation), "");
            var begin = Stopwatch.GetTimestamp();
            var (outcome, published) = await PublishedAsync(
                    begin,
                    _workload._outside!.Client.SignalByKeyAsync(Key(operation), Resume, payload, null, cancellationToken)
                );
            Expect.Accepted(outcome, Key(operation));
            return Expect.CompletedAsync(closed, published, _completion);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            await InstanceAudit.RunAsync(_workload.Backend, Ids(Count), Examine, cancellationToken);

        private string Key(int operation) => $"{_keyPrefix}-{operation}";

        private string? Examine(int operation, InstanceRecord record) =>
            Expect.Version(record, 1)
            ?? Expect.State<State>(record, state =>
                state.Key == Key(operation)
                && state is { Prepared: 1, Resumes: 1, Finished: 1 }
                && state.Correlation == CorrelatedPayload.CorrelationOf(operation)
            );
    }
}

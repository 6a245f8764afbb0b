namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Instances are started and signalled while no host runs; then a host starts, with its own backend object, and finds them all.
/// The window starts with the call that starts the host, so the throughput is the rate at which a backlog is drained.
/// </summary>
internal sealed class RecoveryBacklog : Workload
{
    private readonly WorkflowRegistry _registry = new([RoundtripFlow.Definition]);
    private readonly WorkflowClient _publisher;
    private readonly int _concurrency;
    private IWorkflowBackend? _hostBackend;
    private WorkflowHost? _host;

    public RecoveryBacklog(IScenarioStore store, ScenarioParameters parameters)
        : base(store, EngineSettings.Options(parameters))
    {
        _publisher = new WorkflowClient(Backend, _registry, Options);
        _concurrency = parameters.Concurrency;
    }

    public override string Shape => $"recovery-backlog;{ShapeOf(_registry.Definitions)}";

    public override HostCounters Counters => _host?.Counters ?? new();

    public override Task OpenAsync(CancellationToken cancellationToken) => Backend.InitializeAsync(cancellationToken);

    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, this);

    public override async ValueTask DisposeAsync()
    {
        await StopHostAsync().ConfigureAwait(false);
        await _publisher.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>Stops the host of the previous operations, and creates one that is not started yet.</summary>
    private async Task<WorkflowHost> NewHostAsync()
    {
        await StopHostAsync().ConfigureAwait(false);
        _hostBackend = Store.Connect();
        return _host = new WorkflowHost(_hostBackend, _registry, Options, Troubles);
    }

    private async Task StopHostAsync()
    {
        if (_host is not null)
            await _host.DisposeAsync().ConfigureAwait(false);
        if (_hostBackend is not null)
            await _hostBackend.DisposeAsync().ConfigureAwait(false);
    }

    private sealed class Operations : InstanceOperations
    {
        private readonly RecoveryBacklog _workload;
        private readonly PublishOutcome[] _answers;
        private readonly Task<ClosedInstance>[] _closed;
        private readonly ConcurrentLatencyRecorder _hostStart;
        private readonly ConcurrentLatencyRecorder _completion;
        private Lazy<Task<long>>? _recovery;

        public Operations(int count, RecoveryBacklog workload)
            : base(count)
        {
            _workload = workload;
            _answers = new PublishOutcome[count];
            _closed = new Task<ClosedInstance>[count];
            _hostStart = Phases.Add(PhaseNames.HostStart);
            _completion = Phases.Add(PhaseNames.HostStartToCompletion);
        }

        /// <summary>Creates the backlog.</summary>
        public override async Task PrepareAsync(CancellationToken cancellationToken)
        {
            var host = await _workload.NewHostAsync().ConfigureAwait(false);
            await ForEachAsync(
                    _workload._concurrency,
                    async (operation, token) =>
                    {
                        await LeaveAsync(operation, token).ConfigureAwait(false);
                        _closed[operation] = host.Client.WatchClose(Id(operation));
                    },
                    cancellationToken
                )
                .ConfigureAwait(false);
            _recovery = new(() => RecoverAsync(host, cancellationToken));
        }

        /// <summary>The first caller starts the host, and all wait for it.</summary>
        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var begin = await _recovery!.Value.ConfigureAwait(false);
            Expect.Accepted(_answers[operation], Id(operation));
            return Expect.CompletedAsync(_closed[operation], begin, _completion);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            await InstanceAudit.RunAsync(_workload.Backend, Ids(launched), RoundtripFlow.Examine, cancellationToken).ConfigureAwait(false);

        private async Task LeaveAsync(int operation, CancellationToken cancellationToken)
        {
            var durable = await StartAsync(
                    operation,
                    _workload._publisher,
                    RoundtripFlow.Definition,
                    RoundtripFlow.Begin(operation),
                    null,
                    cancellationToken
                )
                .ConfigureAwait(false);
            var signal = RoundtripFlow.ResumeAsync(_workload._publisher, Id(operation), operation, cancellationToken);
            (_answers[operation], _) = await PublishedAsync(durable, signal).ConfigureAwait(false);
        }

        /// <returns>When the start of the host was called.</returns>
        private async Task<long> RecoverAsync(WorkflowHost host, CancellationToken cancellationToken)
        {
            var begin = Stopwatch.GetTimestamp();
            await host.StartAsync(cancellationToken).ConfigureAwait(false);
            _hostStart.Record(begin, Stopwatch.GetTimestamp());
            return begin;
        }
    }
}

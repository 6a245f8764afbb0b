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
        await StopHostAsync();
        await _publisher.DisposeAsync();
        await base.DisposeAsync();
    }

    /// <summary>Stops the host of the previous operations, and creates one that is not started yet.</summary>
    private async Task<WorkflowHost> NewHostAsync()
    {
        await StopHostAsync();
        _hostBackend = Store.Connect();
        return _host = new WorkflowHost(_hostBackend, _registry, Options, Troubles);
    }

    private async Task StopHostAsync()
    {
        if (_host is not null)
            await _host.DisposeAsync();
        if (_hostBackend is not null)
            await _hostBackend.DisposeAsync();
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
            var host = await _workload.NewHostAsync();
            await ForEachAsync(
                    _workload._concurrency,
                    async (operation, token) =>
                    {
                        await LeaveAsync(operation, token);
                        _closed[operation] = host.Client.WatchClose(Id(operation));
                    },
                    cancellationToken
                );
            _recovery = new(() => RecoverAsync(host, cancellationToken));
        }

        /// <summary>The first caller starts the host, and all wait for it.</summary>
        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var begin = await _recovery!.Value;
            Expect.Accepted(_answers[operation], Id(operation));
            return Expect.CompletedAsync(_closed[operation], begin, _completion);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            await InstanceAudit.RunAsync(_workload.Backend, Ids(launched), RoundtripFlow.Examine, cancellationToken);

        private async Task LeaveAsync(int operation, CancellationToken cancellationToken)
        {
            var durable = await StartAsync(
                    operation,
                    _workload._publisher,
                    RoundtripFlow.Definition,
                    RoundtripFlow.Begin(operation),
                    null,
                    cancellationToken
                );
            var signal = RoundtripFlow.ResumeAsync(_workload._publisher, Id(operation), operation, cancellationToken);
            (_answers[operation], _) = await PublishedAsync(durable, signal);
        }

        /// <returns>When the start of the host was called.</returns>
        private async Task<long> RecoverAsync(WorkflowHost host, CancellationToken cancellationToken)
        {
            var begin = Stopwatch.GetTimestamp();
            await host.StartAsync(cancellationToken);
            _hostStart.Record(begin, Stopwatch.GetTimestamp());
            return begin;
        }
    }
}

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Far more activities are due than the host may run at once. Each takes a fixed time, so that the places bound the throughput; what
/// counts is what the waiting instances cost meanwhile, which is nothing when the host leaves them alone.
/// </summary>
internal sealed class FullHost : HostedWorkload
{
    /// <summary>The number of activities that the host may run at once.</summary>
    public const int Places = 8;

    /// <summary>How long an activity takes, like the call of a service.</summary>
    public static readonly TimeSpan Work = FromMilliseconds(10);

    private readonly WorkflowDefinition<State> _definition;
    private readonly Lock _places = new();
    private int _running;
    private int _mostRunning;

    public FullHost(IScenarioStore store, ScenarioParameters parameters)
        : base(store, EngineSettings.Options(parameters))
    {
        Options = Options with { MaxActivities = Places };
        _definition = Workflow
            .Define<State>("full-host")
            .Do("begin", state => state.Begun++)
            .Activity("work", WorkAsync, (state, result) => state.Results.Add(result))
            .Do("report", state => state.Reported++)
            .Build();
    }

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [_definition];

    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, this);

    private static long ResultOf(int operation) => 7L * (operation + 1);

    private async Task<long> WorkAsync(State state, ActivityContext context)
    {
        lock (_places)
            _mostRunning = Math.Max(_mostRunning, ++_running);
        await Task.Delay(Work, context.CancellationToken);
        lock (_places)
            _running--;
        return ResultOf(state.Operation);
    }

    private sealed class State
    {
        public int Operation { get; set; }

        public int Begun { get; set; }

        public List<long> Results { get; set; } = [];

        public int Reported { get; set; }
    }

    private sealed class Operations : InstanceOperations
    {
        /// <summary>The activity was leased, and has reported. One that was leased in the commit of its start has a version less.</summary>
        private const int MostVersions = 2;

        private readonly FullHost _workload;
        private readonly ConcurrentLatencyRecorder _completion;
        private readonly long _deferredBefore;
        private long _rewritten;

        public Operations(int count, FullHost workload)
            : base(count, signals: false)
        {
            _workload = workload;
            _completion = Phases.Add(PhaseNames.StartToCompletion);
            _deferredBefore = workload.Counters.Deferred;
        }

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var state = new State { Operation = operation };
            var durable = await StartAsync(operation, _workload.Client, _workload._definition, state, null, cancellationToken);
            var closed = await _workload.WatchStartedAsync(Id(operation), cancellationToken);
            return Expect.CompletedAsync(closed, durable, _completion);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken)
        {
            var audit = await InstanceAudit.RunAsync(_workload.Backend, Ids(launched), Examine, cancellationToken);

            // A claim that began while there were places may take a whole batch of activities, and puts back those for which it finds
            // none. An engine that claims them again and again does so hundreds of times for each.
            var putBack = _workload.Counters.Deferred - _deferredBefore + Interlocked.Read(ref _rewritten);
            return
            [
                .. audit,
                new("no more activities at once than places", _workload._mostRunning <= Places, $"{Places}", $"{_workload._mostRunning}"),
                new("waiting instances left alone", putBack <= launched, $"put back at most {launched} times", $"{putBack} times"),
            ];
        }

        private string? Examine(int operation, InstanceRecord record)
        {
            Interlocked.Add(ref _rewritten, Math.Max(0, record.Version - MostVersions));
            return Expect.State<State>(record, state =>
                (state.Operation, state.Begun, state.Reported) == (operation, 1, 1)
                && state.Results is [var result]
                && result == ResultOf(operation)
            );
        }
    }
}

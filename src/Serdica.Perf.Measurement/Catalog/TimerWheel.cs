namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Instances that each wait for a durable timer, due one after the other over a span. All are set before the window; the figure
/// is the lateness, by the database's clock. The span limits the throughput, which is therefore not meaningful.
/// </summary>
internal sealed class TimerWheel(IScenarioStore store, ScenarioParameters parameters, TimeSpan span)
    : HostedWorkload(store, EngineSettings.Options(parameters))
{
    private static readonly WorkflowDefinition<State> Definition = Workflow
        .Define<State>("timer-wheel")
        .Do("set", state => state.Set++)
        .Delay("wait", static (state, _) => Due.AtTime(state.DueAt))
        .Do("fire", (state, context) =>
        {
            state.Fired++;
            state.FiredAt = context.Now;
            return Next.Step;
        })
        .Build();

    /// <summary>Completes in the commit of its start and so reads the clock of the database.</summary>
    private static readonly WorkflowDefinition<State> Clock = Workflow
        .Define<State>("timer-wheel-clock")
        .Do("look", state => state.Set++)
        .Build();

    private TimeSpan _clockOffset;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [Definition, Clock];

    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        await base.OpenAsync(cancellationToken);
        var look = await Client.StartAsync(Clock, new State(), null, cancellationToken);
        var now = TimeProvider.System.GetUtcNow();
        var record = await Backend.FindAsync(look.Id, cancellationToken)
            ?? throw new WorkflowBackendException($"Instance {look.Id} was started and is not there.", isTransient: false);
        _clockOffset = record.CreatedAt - now;
    }

    public override OperationSet CreateOperations(int count, bool warmUp) =>
        new Operations(count, warmUp ? TimeSpan.Zero : span, parameters.Concurrency, this);

    private sealed class State
    {
        public int Operation { get; set; }

        public int Set { get; set; }

        public int Fired { get; set; }

        public DateTimeOffset DueAt { get; set; }

        /// <summary>The database's clock at the claim of the timer.</summary>
        public DateTimeOffset FiredAt { get; set; }
    }

    private sealed class Operations : InstanceOperations
    {
        /// <summary>
        /// The time allowed for setting the timers before the first is due: one second, plus a quarter of a millisecond for
        /// each.
        /// </summary>
        private static readonly TimeSpan Lead = FromSeconds(1);

        private static readonly TimeSpan LeadOfEach = FromMicroseconds(250);

        private readonly TimeSpan _span;
        private readonly int _concurrency;
        private readonly TimerWheel _workload;
        private readonly Task<ClosedInstance>[] _closed;
        private readonly Findings _early = new();
        private readonly ConcurrentLatencyRecorder _lateness;
        private DateTimeOffset _firstDue;

        public Operations(int count, TimeSpan span, int concurrency, TimerWheel workload)
            : base(count, signals: false)
        {
            _span = span;
            _concurrency = concurrency;
            _workload = workload;
            _closed = new Task<ClosedInstance>[count];
            _lateness = Phases.Add(PhaseNames.Lateness);
        }

        private DateTimeOffset Now => TimeProvider.System.GetUtcNow() + _workload._clockOffset;

        /// <summary>Sets all timers and returns when the first is due.</summary>
        public override async Task PrepareAsync(CancellationToken cancellationToken)
        {
            // Whole microseconds, which every database keeps.
            var lead = _span == TimeSpan.Zero ? TimeSpan.Zero : Lead + (LeadOfEach * Count);
            _firstDue = new DateTimeOffset((Now + lead).Ticks / TimeSpan.TicksPerMicrosecond * TimeSpan.TicksPerMicrosecond, TimeSpan.Zero);
            await ForEachAsync(
                    _concurrency,
                    async (operation, token) => await SetAsync(operation, token),
                    cancellationToken
                );
            if (_firstDue - Now is var rest && rest > TimeSpan.Zero)
                await Task.Delay(rest, cancellationToken);
        }

        public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) =>
            new(CompleteAsync(_closed[operation]));

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            [
                .. await InstanceAudit.RunAsync(_workload.Backend, Ids(launched), Examine, cancellationToken),
                _early.Check("no timer before its due time"),
            ];

        private async Task SetAsync(int operation, CancellationToken cancellationToken)
        {
            var state = new State { Operation = operation, DueAt = DueAt(operation) };
            await StartAsync(operation, _workload.Client, Definition, state, null, cancellationToken);

            // Only a timer that was due soon may have fired before it was watched, and is worth a query.
            _closed[operation] =
                DueAt(operation) - Now < Lead
                    ? await _workload.WatchStartedAsync(Id(operation), cancellationToken)
                    : _workload.Client.WatchClose(Id(operation));
        }

        private static async Task CompleteAsync(Task<ClosedInstance> closed) => Expect.Completed(await closed);

        private DateTimeOffset DueAt(int operation) =>
            _firstDue + FromMicroseconds(_span.Ticks / TimeSpan.TicksPerMicrosecond * operation / Count);

        /// <summary>
        /// Also records the lateness: from the due time, or from the start where that came later, to the write that completed
        /// the instance.
        /// </summary>
        private string? Examine(int operation, InstanceRecord record)
        {
            var due = DueAt(operation);
            var problem = Expect.Version(record, 1) ?? Expect.State<State>(record, state =>
                {
                    if (state.FiredAt < due)
                        _early.Add(
                            $"the timer of instance {record.Id} fired {(due - state.FiredAt).TotalMilliseconds:0.###} ms before it "
                                + $"was due"
                        );
                    return state.Operation == operation && state is { Set: 1, Fired: 1 } && state.DueAt == due;
                });
            var late = record.UpdatedAt - (record.CreatedAt > due ? record.CreatedAt : due);
            _lateness.Record(late < TimeSpan.Zero ? TimeSpan.Zero : late);
            return problem;
        }
    }
}

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Instances wait for a signal with a time limit, or run an activity. Then, at the same time, the host's own client signals
/// some, a client outside cancels some, and some get both at once. Each instance must close exactly once and with the right
/// status, and a cancelled one must leave no signal, no timer and no lease.
/// </summary>
internal sealed class CancelUnderLoad : HostedWorkload
{
    private const string Approval = "approval";
    private const string Reason = "No longer wanted.";

    /// <summary>Far beyond any run: a timer that is left over would still exist at its end.</summary>
    private static readonly TimeSpan Limit = FromHours(1);

    private readonly HashSet<Guid> _judged = [];
    private readonly int _concurrency;
    private readonly WorkflowDefinition<State> _definition;
    private OutsideClient? _outside;
    private Operations? _current;

    public CancelUnderLoad(IScenarioStore store, ScenarioParameters parameters)
        : base(store, EngineSettings.Options(parameters))
    {
        // Room for all activities at once: one that finds no place is leased by a claim, which adds a version to its instance.
        Options = Options with { MaxActivities = int.MaxValue };
        _concurrency = parameters.Concurrency;
        _definition = Workflow
            .Define<State>("cancel-under-load")
            .Do("prepare", state =>
            {
                state.Prepared++;
                return Next.GoTo(CaseOf(state.Operation) == Case.CancelledAtWork ? "work" : Approval);
            })
            .WaitFor<CorrelatedPayload>(Approval, Approve, timeout: Limit, onTimeout: static (_, _) => Next.Fault("Nobody came."))
            .Activity("work", WorkAsync, new() { Retry = RetryPolicy.None, Timeout = Limit })
            .Do("finish", state => state.Finished++)
            .Build();
    }

    /// <summary>What happens to the instance of an operation.</summary>
    private enum Case
    {
        Signalled,
        Cancelled,

        /// <summary>Signalled and cancelled at the same time: either outcome is right, but not both and not neither.</summary>
        Raced,

        /// <summary>Cancelled while its activity runs; the activity ends later and reports to a closed instance.</summary>
        CancelledAtWork,
    }

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [_definition];

    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        await base.OpenAsync(cancellationToken);
        _outside = new OutsideClient(Store, Registry, Options);
    }

    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        var operations = new Operations(count, warmUp, this);
        Volatile.Write(ref _current, operations);
        return operations;
    }

    public override async ValueTask DisposeAsync()
    {
        // A stopping host waits for its activities, and those of an aborted run would continue.
        _current?.EndAllWork();
        if (_outside is not null)
            await _outside.DisposeAsync();
        await base.DisposeAsync();
    }

    private static Case CaseOf(int operation) => (Case)(operation % 4);

    private static Next Approve(State state, CorrelatedPayload payload, StepContext context)
    {
        state.Signals++;
        state.Correlation = payload.Correlation;
        return Next.GoTo("finish");
    }

    private Task WorkAsync(State state, ActivityContext context) =>
        Volatile.Read(ref _current)!.WorkAsync(state.Operation).WaitAsync(context.CancellationToken);

    private sealed class State
    {
        public int Operation { get; set; }

        public int Prepared { get; set; }

        public int Signals { get; set; }

        public int Finished { get; set; }

        public string? Correlation { get; set; }
    }

    private sealed class Operations : InstanceOperations
    {
        private readonly bool _warmUp;
        private readonly CancelUnderLoad _workload;
        private readonly InstanceStatus[] _closedAs;
        private readonly bool[] _signalAccepted;
        private readonly TaskCompletionSource[] _workBegun;
        private readonly TaskCompletionSource[] _workEnds;
        private readonly ConcurrentLatencyRecorder _completion;
        private readonly ConcurrentLatencyRecorder _cancel;
        private readonly ConcurrentLatencyRecorder _cancelled;

        public Operations(int count, bool warmUp, CancelUnderLoad workload)
            : base(count)
        {
            _warmUp = warmUp;
            _workload = workload;
            _closedAs = new InstanceStatus[count];
            _signalAccepted = new bool[count];
            _workBegun = Sources(count);
            _workEnds = Sources(count);
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
            _cancel = Phases.Add(PhaseNames.CancelPublish);
            _cancelled = Phases.Add(PhaseNames.CancelToClosed);
        }

        public override IntendedTrouble Intended =>
            new(
                Cancelled: Enumerable.Range(0, Count).LongCount(operation => MustCloseAs(operation) == InstanceStatus.Cancelled),
                DeadLetters: Enumerable.Range(0, Count).LongCount(HasDeadLetter)
            );

        public override Task PrepareAsync(CancellationToken cancellationToken) =>
            ForEachAsync(
                _workload._concurrency,
                async (operation, token) =>
                    await StartAsync(operation, _workload.Client, _workload._definition, new State { Operation = operation }, null, token),
                cancellationToken
            );

        /// <summary>The activity of an operation: reports that it has started, and ends when the instance has closed.</summary>
        public Task WorkAsync(int operation)
        {
            _workBegun[operation].TrySetResult();
            return _workEnds[operation].Task;
        }

        public void EndAllWork()
        {
            foreach (var work in _workEnds)
                work.TrySetResult();
        }

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var closed = _workload.Client.WatchClose(Id(operation));
            switch (CaseOf(operation))
            {
                case Case.Signalled:
                    return CompleteAsync(
                        operation,
                        closed,
                        await SignalAsync(operation, cancellationToken),
                        _completion
                    );
                case Case.Raced when !_warmUp:
                    await RaceAsync(operation, cancellationToken);
                    return CompleteAsync(operation, closed, 0, null);
                case Case.CancelledAtWork:
                    await _workBegun[operation].Task;
                    goto default;
                default:
                    return CompleteAsync(
                        operation,
                        closed,
                        await CancelAsync(operation, cancellationToken),
                        _cancelled
                    );
            }
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken)
        {
            var deadLetters = Enumerable.Range(0, launched).Where(HasDeadLetter).ToDictionary(operation => Id(operation));
            return
            [
                .. await InstanceAudit.RunAsync(_workload.Backend, Ids(launched), Examine, cancellationToken, closedAs: MustCloseAs),
                await DeadLetterAudit.RunAsync(_workload.Backend, deadLetters, Examine, cancellationToken, _workload._judged),
            ];
        }

        private static TaskCompletionSource[] Sources(int count) =>
            [.. Enumerable.Range(0, count).Select(_ => new TaskCompletionSource(RunContinuationsAsynchronously))];

        /// <summary>The first caller changes from race to race; the clients decide who commits first.</summary>
        private Task RaceAsync(int operation, CancellationToken cancellationToken)
        {
            Task[] calls =
                operation / 4 % 2 == 0
                    ? [SignalAsync(operation, cancellationToken), CancelAsync(operation, cancellationToken)]
                    : [CancelAsync(operation, cancellationToken), SignalAsync(operation, cancellationToken)];
            return Task.WhenAll(calls);
        }

        /// <returns>When the signal was durable.</returns>
        private async Task<long> SignalAsync(int operation, CancellationToken cancellationToken)
        {
            var payload = new CorrelatedPayload(CorrelatedPayload.CorrelationOf(operation), "");
            var (outcome, published) = await PublishAsync(operation, _workload.Client, Approval, payload, null, cancellationToken);
            _signalAccepted[operation] = outcome == PublishOutcome.Accepted;
            Check(operation, outcome);
            return published;
        }

        /// <returns>When the request was durable.</returns>
        private async Task<long> CancelAsync(int operation, CancellationToken cancellationToken)
        {
            var begin = Stopwatch.GetTimestamp();
            var outcome = await _workload._outside!.Client.CancelAsync(Id(operation), Reason, cancellationToken);
            var published = Stopwatch.GetTimestamp();
            _cancel.Record(begin, published);
            Check(operation, outcome);
            return published;
        }

        /// <summary>The second of two racing calls may find the instance closed; no other call may.</summary>
        private void Check(int operation, PublishOutcome outcome)
        {
            if (CaseOf(operation) != Case.Raced || outcome != PublishOutcome.InstanceClosed)
                Expect.Accepted(outcome, Id(operation));
        }

        private async Task CompleteAsync(int operation, Task<ClosedInstance> closed, long published, ConcurrentLatencyRecorder? recorder)
        {
            var instance = await closed;
            recorder?.Record(published, Math.Max(published, Stopwatch.GetTimestamp()));
            _closedAs[operation] = instance.Status;
            _workEnds[operation].TrySetResult();
            if (instance.Status != MustCloseAs(operation))
                throw new OperationFailedException(
                    $"Instance {instance.Id} closed as {instance.Status} and not as {MustCloseAs(operation)}."
                );
        }

        /// <summary>For a race the outcome that was reported, which the database must confirm.</summary>
        private InstanceStatus MustCloseAs(int operation) =>
            CaseOf(operation) switch
            {
                Case.Signalled => InstanceStatus.Completed,
                Case.Raced when !_warmUp => _closedAs[operation] == InstanceStatus.Cancelled
                    ? InstanceStatus.Cancelled
                    : InstanceStatus.Completed,
                _ => InstanceStatus.Cancelled,
            };

        /// <summary>An accepted signal is never lost without a trace: after a cancellation it becomes a dead letter.</summary>
        private bool HasDeadLetter(int operation) =>
            CaseOf(operation) == Case.Raced && _signalAccepted[operation] && MustCloseAs(operation) == InstanceStatus.Cancelled;

        private string? Examine(int operation, InstanceRecord record)
        {
            var signals = MustCloseAs(operation) == InstanceStatus.Completed ? 1 : 0;
            return Version(operation, record)
                ?? (
                    record.Error == (signals == 1 ? null : Reason)
                        ? null
                        : $"instance {record.Id} is {record.Status} because of '{record.Error}'"
                )
                ?? Expect.State<State>(record, state =>
                    (state.Operation, state.Prepared, state.Signals, state.Finished) == (operation, 1, signals, signals)
                    && state.Correlation == (signals == 1 ? CorrelatedPayload.CorrelationOf(operation) : null)
                );
        }

        /// <summary>
        /// Two racing calls are both handled when they arrive in one turn. An activity adds the version of its lease, unless its
        /// instance was started with the lease, as a host does that decides directly and has a place for each.
        /// </summary>
        private string? Version(int operation, InstanceRecord record) =>
            CaseOf(operation) switch
            {
                Case.Raced when record.Version == 2 => null,
                Case.CancelledAtWork => Expect.Version(record, _workload.IsDirect == true ? 1 : 2),
                _ => Expect.Version(record, 1),
            };

        private static string? Examine(int operation, DeadLetter letter) =>
            letter is { Reason: DeadLetterReason.InstanceClosed, Signal.Name: Approval }
            && Expect.Read<CorrelatedPayload>(letter.Signal.Payload)?.Correlation == CorrelatedPayload.CorrelationOf(operation)
                ? null
                : $"the dead letter of operation {operation} has reason {letter.Reason}, '{letter.Detail}'";
    }
}

namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Round trips in which every fifth instance first gets a poisonous signal, whose handler always throws. The signal becomes a
/// dead letter after a fixed number of attempts. Only then the good signal after it is handled, because the order is kept. Other
/// instances, often in one batch with it, are not affected.
/// </summary>
internal sealed class PoisonSignal : HostedWorkload
{
    /// <summary>The number of attempts of each poisonous signal.</summary>
    public const int Attempts = 5;

    private const string Approval = "approval";
    private const string Error = "This signal is poisonous.";
    private const int PoisonedEvery = 5;

    private static readonly WorkflowDefinition<State> Definition = Workflow
        .Define<State>("poison-signal")
        .Do("prepare", state => state.Prepared++)
        .WaitFor<Payload>(Approval, (state, payload) =>
        {
            // Changed before it throws, so that state left behind by a failed handler is detected.
            state.Signals++;
            state.Correlation = payload.Correlation;
            if (payload.Poisonous)
                throw new InvalidOperationException(Error);
        })
        .Do("finish", state => state.Finished++)
        .Build();

    private readonly HashSet<Guid> _judged = [];

    public PoisonSignal(IScenarioStore store, ScenarioParameters parameters)
        : base(store, EngineSettings.Options(parameters)) =>
        Options = Options with
        {
            SignalRetry = new() { MaxAttempts = Attempts, FirstDelay = FromMilliseconds(20) },
        };

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [Definition];

    /// <summary>
    /// Whether an operation has a poisonous signal. Operations of the warm-up have none, because their dead letters would stay.
    /// </summary>
    public static bool IsPoisoned(int operation) => operation % PoisonedEvery == 0;

    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, !warmUp, Backend, Client, _judged);

    private sealed record Payload(string Correlation, bool Poisonous);

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
        private readonly bool _poisons;
        private readonly IWorkflowBackend _backend;
        private readonly WorkflowClient _client;
        private readonly HashSet<Guid> _judged;
        private readonly ConcurrentLatencyRecorder _completion;
        private readonly ConcurrentLatencyRecorder _poisonedCompletion;

        public Operations(int count, bool poisons, IWorkflowBackend backend, WorkflowClient client, HashSet<Guid> judged)
            : base(count)
        {
            _poisons = poisons;
            _backend = backend;
            _client = client;
            _judged = judged;
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
            _poisonedCompletion = Phases.Add(PhaseNames.PoisonToCompletion);
        }

        public override IntendedTrouble Intended
        {
            get
            {
                var poisoned = Enumerable.Range(0, Count).LongCount(HasPoison);
                return new(DeadLetters: poisoned, HandlerFailures: poisoned * Attempts);
            }
        }

        internal override int LatenciesPerOperation => 2;

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            await StartAsync(operation, _client, Definition, new State { Operation = operation }, null, cancellationToken);
            var closed = _client.WatchClose(Id(operation));
            if (!HasPoison(operation))
                return Expect.CompletedAsync(
                    closed,
                    await PublishAsync(operation, false, cancellationToken),
                    _completion
                );

            var poisoned = await PublishAsync(operation, true, cancellationToken);
            await PublishAsync(operation, false, cancellationToken);
            return Expect.CompletedAsync(closed, poisoned, _poisonedCompletion);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken)
        {
            var poisoned = Enumerable
                .Range(0, launched)
                .Where(operation => HasPoison(operation) && Id(operation) != Guid.Empty)
                .ToDictionary(operation => Id(operation));
            return
            [
                .. await InstanceAudit.RunAsync(_backend, Ids(launched), Examine, cancellationToken),
                await DeadLetterAudit.RunAsync(_backend, poisoned, Examine, cancellationToken, _judged),
            ];
        }

        /// <returns>When the signal was durable.</returns>
        private Task<long> PublishAsync(int operation, bool poisonous, CancellationToken cancellationToken) =>
            SignalAsync(
                operation,
                _client,
                Approval,
                new Payload(CorrelatedPayload.CorrelationOf(operation), poisonous),
                cancellationToken
            );

        private bool HasPoison(int operation) => _poisons && IsPoisoned(operation);

        private string? Examine(int operation, InstanceRecord record) =>
            Version(operation, record)
            ?? Expect.State<State>(record, state =>
                state.Operation == operation
                && state is { Prepared: 1, Signals: 1, Finished: 1 }
                && state.Correlation == CorrelatedPayload.CorrelationOf(operation)
            );

        /// <summary>
        /// A poisoned instance has handled two signals and one retry for each attempt after the first; one retry less when the
        /// good signal came late and triggered the last attempt itself.
        /// </summary>
        private string? Version(int operation, InstanceRecord record) =>
            HasPoison(operation) && record.Version == Attempts ? null : Expect.Version(record, HasPoison(operation) ? Attempts + 1 : 1);

        private string? Examine(int operation, DeadLetter letter) =>
            letter is { Reason: DeadLetterReason.AttemptsExhausted, Signal: { Name: Approval, Attempt: Attempts } }
            && letter.Detail.Contains(Error, Ordinal)
            && Expect.Read<Payload>(letter.Signal.Payload) is { Poisonous: true } payload
            && payload.Correlation == CorrelatedPayload.CorrelationOf(operation)
                ? null
                : $"the dead letter of operation {operation} has reason {letter.Reason}, attempt {letter.Signal.Attempt}, "
                    + $"'{letter.Detail}'";
    }
}

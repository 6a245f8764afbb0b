namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// Instances that one signal opens and that then collect two items. Each signal is published twice with its dedup key, one after
/// the other or both at once. For every second operation the items arrive before the instance is open, when no step waits for
/// them. Each signal must take effect once, and the items in order.
/// </summary>
internal sealed class DuplicateAndEarlySignals(IScenarioStore store, ScenarioParameters parameters)
    : HostedWorkload(store, EngineSettings.Options(parameters))
{
    private const string Open = "open";
    private const string Item = "item";
    private const int Items = 2;

    private static readonly WorkflowDefinition<State> Definition = Workflow
        .Define<State>("duplicate-and-early-signals")
        .Do("prepare", state => state.Prepared++)
        .WaitFor<CorrelatedPayload>(Open, (state, payload) =>
        {
            state.Opened++;
            state.Correlation = payload.Correlation;
        })
        .WaitFor<CorrelatedPayload>(Item, (state, payload) =>
        {
            state.Items.Add(payload.Correlation);
            return state.Items.Count < Items ? Next.Stay : Next.Step;
        })
        .Do("finish", state => state.Finished++)
        .Build();

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [Definition];

    public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count, Backend, Client);

    private sealed class State
    {
        public int Operation { get; set; }

        public int Prepared { get; set; }

        public int Opened { get; set; }

        public int Finished { get; set; }

        public string? Correlation { get; set; }

        public List<string> Items { get; set; } = [];
    }

    private sealed class Operations : InstanceOperations
    {
        private readonly IWorkflowBackend _backend;
        private readonly WorkflowClient _client;
        private readonly Findings _repeats = new();
        private readonly ConcurrentLatencyRecorder _completion;

        public Operations(int count, IWorkflowBackend backend, WorkflowClient client)
            : base(count)
        {
            _backend = backend;
            _client = client;
            _completion = Phases.Add(PhaseNames.SignalToCompletion);
        }

        internal override int LatenciesPerOperation => 2 * (1 + Items);

        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            await StartAsync(operation, _client, Definition, new State { Operation = operation }, null, cancellationToken);
            var closed = _client.WatchClose(Id(operation));
            if (!IsEarly(operation))
                await PublishTwiceAsync(operation, Open, 0, false, cancellationToken);
            await PublishTwiceAsync(operation, Item, 1, false, cancellationToken);
            var last = await PublishTwiceAsync(operation, Item, 2, !IsEarly(operation), cancellationToken);
            if (IsEarly(operation))
                last = await PublishTwiceAsync(operation, Open, 0, true, cancellationToken);
            return Expect.CompletedAsync(closed, last, _completion);
        }

        public override async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            [
                .. await InstanceAudit.RunAsync(_backend, Ids(launched), Examine, cancellationToken),
                _repeats.Check("every repeat answered as a duplicate"),
            ];

        /// <summary>Publishes a signal twice: one after the other, or both at once and then most often in one batch.</summary>
        /// <param name="last">Whether the signal completes its instance, so that the repeat may find it closed.</param>
        /// <returns>When the first response arrived.</returns>
        private async Task<long> PublishTwiceAsync(int operation, string signal, int number, bool last, CancellationToken cancellationToken)
        {
            var original = PublishAsync(operation, signal, number, cancellationToken);
            if (RepeatsLater(operation))
                await original;
            var repeat = PublishAsync(operation, signal, number, cancellationToken);
            var answers = await Task.WhenAll(original, repeat);

            var refused = answers.Where(answer => answer.Outcome != PublishOutcome.Accepted).Select(answer => answer.Outcome).ToArray();
            if (refused is not [var only] || !(only == PublishOutcome.Duplicate || (last && only == PublishOutcome.InstanceClosed)))
                _repeats.Add(
                    $"signal '{signal}' {number} of operation {operation} was answered with "
                        + $"{string.Join(" and ", answers.Select(answer => answer.Outcome))}"
                );
            return answers.Min(answer => answer.Durable);
        }

        private Task<(PublishOutcome Outcome, long Durable)> PublishAsync(
            int operation,
            string signal,
            int number,
            CancellationToken cancellationToken
        ) =>
            PublishAsync(
                operation,
                _client,
                signal,
                new CorrelatedPayload(Correlation(operation, number), ""),
                new PublishOptions { DedupKey = $"{signal}-{number}" },
                cancellationToken
            );

        private static bool IsEarly(int operation) => operation % 2 == 1;

        private static bool RepeatsLater(int operation) => operation / 2 % 2 == 1;

        private static string Correlation(int operation, int number) => $"{CorrelatedPayload.CorrelationOf(operation)}-{number}";

        private static string? Examine(int operation, InstanceRecord record) =>
            Expect.Version(record, 1 + Items)
            ?? Expect.State<State>(record, state =>
                state.Operation == operation
                && state is { Prepared: 1, Opened: 1, Finished: 1 }
                && state.Correlation == Correlation(operation, 0)
                && state.Items.SequenceEqual(Enumerable.Range(1, Items).Select(number => Correlation(operation, number)))
            );
    }
}

namespace Serdica.Perf.Faults.Tests.History;

/// <summary>What is recorded of a call is what is known of it, and no more.</summary>
public sealed class RecordingTests : FolderTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_failure_is_a_refusal_only_when_nothing_was_written(bool nothingWritten)
    {
        var kind = nothingWritten ? HistoryKind.Refused : HistoryKind.Unknown;
        var error = new WorkflowBackendException("The database is away.", isTransient: true) { NothingWritten = nothingWritten };
        await RunAsync(new FailingBackend(error), async client =>
        {
            await Assert.ThrowsAsync<WorkflowBackendException>(() =>
                client.SignalAsync(Guid.CreateVersion7(), "append", "k", cancellationToken: Token)
            );
        });

        Assert.Equal([HistoryKind.Process, HistoryKind.Invoke, kind], Lines("client").Select(line => line.Kind));
        Assert.Contains("The database is away.", Lines("client")[^1].Detail);
    }

    [Fact]
    public async Task A_call_that_was_refused_for_its_arguments_is_a_refusal()
    {
        await RunAsync(new InMemoryWorkflowBackend(), async client =>
        {
            await Assert.ThrowsAsync<UnknownDefinitionException>(() =>
                client.StartAsync("misspelt", new ShapeState(), "k", cancellationToken: Token)
            );
        });

        Assert.Equal([HistoryKind.Process, HistoryKind.Invoke, HistoryKind.Refused], Lines("client").Select(line => line.Kind));
    }

    /// <summary>A call that timed out may have been carried out.</summary>
    [Fact]
    public void A_failure_that_does_not_say_that_nothing_was_written_leaves_it_open()
    {
        Exception[] open =
        [
            new TimeoutException(),
            new OperationCanceledException(),
            new IOException(),
            new InvalidOperationException(),
            new ObjectDisposedException("client"),
        ];

        Assert.DoesNotContain(open, error => RecordingClient.Failure(1, error).Kind != HistoryKind.Unknown);
    }

    /// <summary>A backend whose write was refused may store the signals instead, and ask for no further decision.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_direct_turn_is_committed_only_when_its_signal_was_decided(bool isDecided)
    {
        var lines = await RecordedTurnAsync(isDecided, times: 1);

        Assert.Equal([HistoryKind.Process, HistoryKind.Turn, HistoryKind.Ack], lines.Select(line => line.Kind));
        Assert.Equal(isDecided ? AckOutcome.Committed : AckOutcome.Conflict, lines[^1].Outcome);
    }

    /// <summary>What was decided before a conflict must not count as a turn whose outcome nobody knows.</summary>
    [Fact]
    public async Task A_turn_that_a_backend_asks_for_again_was_not_committed()
    {
        var lines = await RecordedTurnAsync(isDecided: true, times: 2);

        Assert.Equal(
            [
                (HistoryKind.Process, 0, null),
                (HistoryKind.Turn, 1, null),
                (HistoryKind.Ack, 1, AckOutcome.Conflict),
                (HistoryKind.Turn, 2, null),
                (HistoryKind.Ack, 2, (AckOutcome?)AckOutcome.Committed),
            ],
            lines.Select(line => (line.Kind, line.Operation, line.Outcome))
        );
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Children_of_a_start_were_started_only_when_its_business_key_was_free(bool isFree)
    {
        await using (var history = new HistoryWriter(Root.Path, "host", "host"))
        {
            var (parent, child) = (Instance("key"), Instance());
            var start = new StartSubmission(new() { Instance = parent, Started = [child] })
            {
                Existing = isFree ? null : new(Guid.CreateVersion7(), parent.Definition),
            };
            await new RecordingBackend(new IdleBackend(), history).SubmitAsync([start], Token);
        }

        var lines = Lines("host");
        Assert.Equal([HistoryKind.Process, HistoryKind.Started, HistoryKind.Ack], lines.Select(line => line.Kind));
        Assert.Equal(isFree ? AckOutcome.Committed : AckOutcome.Conflict, lines[^1].Outcome);
    }

    [Fact]
    public async Task The_final_state_has_all_pages_of_dead_letters()
    {
        const int Letters = 1_001;
        await using (var history = new HistoryWriter(Root.Path, "client", "client"))
            await FinalState.WriteAsync(new BackendOfLetters(Letters), Root.Path, cancellationToken: Token);

        Assert.Equal(Letters, Lines("census").Count(line => line.Kind == HistoryKind.DeadLetter));
    }

    [Fact]
    public async Task The_final_state_has_rows_kept_signals_and_counts()
    {
        await using var backend = new InMemoryWorkflowBackend();
        var id = Guid.Empty;
        await RunAsync(backend, async client =>
        {
            var state = new ShapeState
            {
                Gated = true,
                Takes = 1,
                Expects = 2,
            };
            id = (await client.StartAsync(ShapedWorkflow.Name, state, "start", cancellationToken: Token)).Id;
            var outcome = await client.SignalAsync(id, ShapedWorkflow.Append, "early", cancellationToken: Token);
            Assert.Equal(PublishOutcome.Accepted, outcome);
        });
        await TurnAsync(backend);

        await FinalState.WriteAsync(backend, Root.Path, cancellationToken: Token);

        var census = Lines("census");
        Assert.Equal([HistoryKind.Process, HistoryKind.State, HistoryKind.Pending, HistoryKind.Census], census.Select(line => line.Kind));
        Assert.Equal((id, "start", 1), (census[1].Instance, census[1].Ledger!.Origin, census[1].Version));
        Assert.Equal((id, "early"), (census[2].Instance, census[2].Key));
        Assert.Equal((1, 0), (census[3].Census!.Waiting, census[3].Census!.SignalsDue));
    }

    private static InstanceRecord Instance(string? businessKey = null) =>
        new()
        {
            Id = Guid.CreateVersion7(),
            Definition = "any",
            DefinitionVersion = 1,
            BusinessKey = businessKey,
            Status = InstanceStatus.Waiting,
            Step = "only",
            Version = 0,
            State = [],
        };

    private static Signal Signal(Guid instance) =>
        new()
        {
            Id = Guid.CreateVersion7(),
            InstanceId = instance,
            Kind = SignalKind.External,
            Name = ShapedWorkflow.Append,
        };

    private async Task RunAsync(IWorkflowBackend backend, Func<RecordingClient, Task> run)
    {
        await using var history = new HistoryWriter(Root.Path, "client", "client");
        var registry = new WorkflowRegistry(ShapedWorkflow.Definitions(new EffectRecorder(history)));
        await using var client = new WorkflowClient(backend, registry);
        await run(new RecordingClient(client, history, "c1"));
    }

    /// <summary>Lets a host handle what is due.</summary>
    private async Task TurnAsync(IWorkflowBackend backend)
    {
        await using var history = new HistoryWriter(Root.Path, "host", "host");
        var registry = new WorkflowRegistry(ShapedWorkflow.Definitions(new EffectRecorder(history)));
        await using var host = new WorkflowHost(new RecordingBackend(backend, history), registry);
        await host.StartAsync(Token);
        while ((await backend.TakeCensusAsync(Token)).SignalsDue > 0)
            await Task.Yield();
    }

    /// <summary>The history of a host whose backend asks for one direct turn.</summary>
    private async Task<List<HistoryRecord>> RecordedTurnAsync(bool isDecided, int times)
    {
        await using var memory = new InMemoryWorkflowBackend();
        var id = Guid.Empty;
        await RunAsync(memory, async client =>
            id = (await client.StartAsync(ShapedWorkflow.Name, new ShapeState(), "start", cancellationToken: Token)).Id
        );
        var instance = (await memory.FindAsync(id, Token))!;
        var decision = new Decision { Instance = instance with { Version = instance.Version + 1 }, ExpectedVersion = instance.Version };

        await using (var history = new HistoryWriter(Root.Path, "host", "host"))
        {
            var recording = new RecordingBackend(new AskingBackend(memory, instance, isDecided, times), history);
            var turns = new DirectTurns(_ => Task.FromResult<IReadOnlyList<Decision>>([decision]));
            await recording.SubmitAsync([new SignalSubmission(Signal(id))], turns, Token);
        }

        return Lines("host");
    }

    private List<HistoryRecord> Lines(string process) => KeptHistory.Read(Root.Path, process);

    /// <summary>Has one instance decided, whatever becomes of it.</summary>
    private sealed class AskingBackend(IWorkflowBackend inner, InstanceRecord instance, bool isDecided, int times) : DirectDecorator(inner)
    {
        public override async Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken)
        {
            for (var time = 0; time < times; time++)
                await direct.Decide(new ClaimedBatch(DateTimeOffset.UnixEpoch, [new ClaimedInstance(instance)]));
            foreach (var signal in batch.OfType<SignalSubmission>())
                signal.IsDecided = isDecided;
        }
    }

    private sealed class IdleBackend() : BackendDecorator(new InMemoryWorkflowBackend())
    {
        public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) => Task.CompletedTask;
    }

    /// <summary>Its dead letters are of instances that are gone.</summary>
    private sealed class BackendOfLetters(int count) : BackendDecorator(new InMemoryWorkflowBackend())
    {
        private readonly List<DeadLetter> _letters =
        [
            .. Range(0, count)
                .Select(number => new DeadLetter(
                    Signal(Guid.CreateVersion7()),
                    DeadLetterReason.Refused,
                    "",
                    DateTimeOffset.UnixEpoch.AddSeconds(number)
                )),
        ];

        public override Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken) =>
            Task.FromResult<IReadOnlyList<DeadLetter>>([
                .. _letters.Where(letter => !(letter.DeadAt <= query.After?.DeadAt)).Take(query.Limit),
            ]);
    }

    private sealed class FailingBackend(WorkflowBackendException error) : BackendDecorator(new InMemoryWorkflowBackend())
    {
        public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) => throw error;
    }
}

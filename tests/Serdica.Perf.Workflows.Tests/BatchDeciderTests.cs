namespace Serdica.Perf.Workflows.Tests;

/// <summary>What a decider does beside deciding: places for activities, logs, and whom it holds to be the cause of a failure.</summary>
public sealed class BatchDeciderTests : IAsyncDisposable
{
    private static readonly WorkflowOptions Options = new() { MaxActivities = 1 };
    private static readonly WorkflowDefinition<Tally> WithActivity = Define("with-activity", static () => { })
        .Activity("work", static (_, _) => Task.CompletedTask)
        .Build();

    private readonly ManualTimeProvider _clock = new();
    private readonly LogList _log = new();
    private readonly CounterSet _counters = new();
    private readonly InMemoryWorkflowBackend _backend;
    private readonly WorkflowClient _client;
    private readonly ActivityRunner _activities;
    private readonly HostMemory _memory;

    public BatchDeciderTests()
    {
        _backend = new(_clock);
        _client = new(_backend, new([WithActivity]), Options, _clock);
        _activities = new(_backend, _client, Options, _counters, _clock, _log);
        _memory = new(_backend, Options, _clock, _log);
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void Signal_that_is_not_stored_takes_no_place_while_stored_activities_wait_for_one(bool isDirect, int leased)
    {
        var decider = Decider(isDirect, WithActivity);
        _activities.IsCrowded = true;

        decider.Decide(Batch(WithActivity));

        Assert.Equal((leased, leased == 0), (decider.Leased.Count(), decider.FoundNoPlace));
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    public void Instance_that_cannot_be_continued_is_parked_by_a_worker_and_left_alone_by_a_caller(bool isDirect, bool isParked)
    {
        var batch = Batch(WithActivity, static instance => instance with { Step = "renamed" });

        var decision = Assert.Single(Decider(isDirect, WithActivity).Decide(batch));

        Assert.Equal((isParked, isParked), (decision.Sent is not null, decision.Instance is not null));
        Assert.Equal(isParked, _log.Lines.Any(line => line.Contains("'renamed'", StringComparison.Ordinal)));
    }

    /// <summary>It would overtake them, for they are due later.</summary>
    [Fact]
    public void A_signal_is_not_decided_directly_while_others_of_its_instance_are_put_off()
    {
        var (decider, batch) = (Decider(isDirect: true, WithActivity), Batch(WithActivity));
        Assert.NotNull(Assert.Single(decider.Decide(batch)).Instance);

        var signal = Assert.Single(batch.Instances).Signals[0];
        _memory.PutOff.PutOff(signal.InstanceId, [signal with { Id = Guid.CreateVersion7() }], batch.Now, TimeSpan.FromSeconds(1));

        Assert.Null(Assert.Single(decider.Decide(batch)).Instance);
    }

    [Fact]
    public void Places_that_were_held_for_a_batch_are_given_back_once()
    {
        var decider = Decider(isDirect: false, WithActivity);
        decider.Hold(_activities.ReserveUpTo(5));
        Assert.Equal(0, _activities.FreePlaces);

        decider.Forget();
        decider.Forget();

        Assert.Equal((true, false), (_activities.TryReserve(), _activities.TryReserve()));
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(true, 1)]
    public void Only_a_handler_that_throws_is_counted_and_logged_as_one_that_failed(bool throws, int failures)
    {
        var definition = Define("throwing", () =>
            {
                if (throws)
                    throw new FormatException("No number.");
            })
            .Build();
        var decider = Decider(isDirect: false, definition);

        decider.Decide(Batch(definition));
        decider.Committed(_client.Closed, _client.Hints, _counters);

        Assert.Equal((failures, failures), ((int)_counters.HandlerFailures, _log.Lines.Count));
    }

    [Theory]
    [InlineData(-1, 0)]
    [InlineData(0, 1)]
    public void Handler_that_had_half_of_the_time_limit_is_the_cause_of_a_batch_that_took_too_long(int moreTicks, int failures)
    {
        BatchDecider? decider = null;
        var definition = Define("slow", () =>
            {
                // As the watch of the time limit does, while the handler still holds the thread.
                _clock.Advance((Options.DecideTimeout / 2) + TimeSpan.FromTicks(moreTicks));
                decider!.Failed(new TimeoutException("It took too long."), isAbandoned: true, _counters);
            })
            .Build();
        decider = Decider(isDirect: false, definition);

        decider.Decide(Batch(definition));

        Assert.Equal(failures, _counters.HandlerFailures);
    }

    public async ValueTask DisposeAsync()
    {
        await _activities.DisposeAsync();
        await _client.DisposeAsync();
        await _backend.DisposeAsync();
    }

    private static WorkflowBuilder<Tally> Define(string name, Action handle) =>
        Workflow.Define<Tally>(name).WaitFor<int>("go", (_, _) => handle());

    private BatchDecider Decider(bool isDirect, WorkflowDefinition definition) =>
        new(new([definition]), _activities, _memory, _backend.Capabilities, Options, _clock, _log, isDirect);

    /// <summary>One instance that waits for a signal, and the signal.</summary>
    private ClaimedBatch Batch(WorkflowDefinition<Tally> definition, Func<InstanceRecord, InstanceRecord>? change = null)
    {
        var now = _clock.GetUtcNow();
        var origin = new NewInstance(Guid.CreateVersion7(now), null, null, null, now);
        var turn = definition.BeginTurn(new TurnEnvironment(Options, _clock), origin, new Tally(), inline: false);
        turn.RunFirstSteps();
        var instance = turn.FinishStart().Instance!;
        var claimed = new ClaimedInstance(change?.Invoke(instance) ?? instance);
        claimed.Signals.Add(
            new()
            {
                Id = Guid.CreateVersion7(now),
                InstanceId = instance.Id,
                Kind = SignalKind.External,
                Name = "go",
                Payload = "7"u8.ToArray(),
                Due = Due.AtTime(now),
            }
        );
        return new(now, [claimed]);
    }
}

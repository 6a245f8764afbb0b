namespace Serdica.Perf.Workflows.Tests;

/// <summary>What a decider does beside deciding: places for activities, logs, and whom it holds to be the cause of a failure.</summary>
public sealed class BatchDeciderTests : IAsyncDisposable
{
    private static readonly WorkflowOptions Options = new() { MaxActivities = 1 };
    private static readonly WorkflowDefinition<Tally> WithActivity = Define("with-activity")
        .Activity("work", static (_, _) => Task.CompletedTask)
        .Build();

    private readonly ManualTimeProvider _clock = new();
    private readonly LogList<BatchDecider> _log = new();
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
        Assert.Equal(isParked, _log.Lines.Any(line => line.Contains("'renamed'")));
    }

    /// <summary>It would overtake them, for they are due later.</summary>
    [Fact]
    public void A_signal_is_not_decided_directly_while_others_of_its_instance_are_put_off()
    {
        var (decider, batch) = (Decider(isDirect: true, WithActivity), Batch(WithActivity));
        Assert.NotNull(Assert.Single(decider.Decide(batch)).Instance);

        var signal = Assert.Single(batch.Instances).Signals[0];
        _memory.PutOff.PutOff(signal.InstanceId, [signal with { Id = Guid.CreateVersion7() }], batch.Now, FromSeconds(1));

        Assert.Null(Assert.Single(decider.Decide(batch)).Instance);
    }

    [Fact]
    public void Places_that_were_held_for_a_batch_are_given_back_once()
    {
        var decider = Decider(WithActivity);
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
        var decider = Decider(definition);

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
                _clock.Advance((Options.DecideTimeout / 2) + FromTicks(moreTicks));
                decider!.Failed(new TimeoutException("It took too long."), isAbandoned: true, _counters);
            })
            .Build();
        decider = Decider(definition);

        decider.Decide(Batch(definition));

        Assert.Equal(failures, _counters.HandlerFailures);
    }

    /// <summary>Each handler takes a quarter of the time limit: a turn ends after the first, and a batch after the second.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_there_is_no_time_for_is_left_as_it_was(bool isDirect)
    {
        var definition = Define("slow", () => _clock.Advance(Options.DecideTimeout / 4)).WaitFor<int>("more", (_, _) => { }).Build();
        var staying = Workflow
            .Define<Tally>("staying")
            .WaitFor<int>("go", (_, _, _) =>
            {
                _clock.Advance(Options.DecideTimeout / 4);
                return Next.Stay;
            })
            .Build();
        var decider = Decider(isDirect, definition, staying);
        var many = Assert.Single(Batch(staying).Instances);
        many.Signals.Add(Go(many.Instance));
        var (last, signals) = (Assert.Single(Batch(definition).Instances), many.Signals.ToList());

        var decisions = decider.Decide(new(_clock.GetUtcNow(), [Assert.Single(Batch(definition).Instances), many, last]));

        long?[] versions = [1, isDirect ? null : 1, null];
        Assert.Equal(versions, decisions.Select(static decision => decision.Instance?.Version));
        Assert.Equal((!isDirect, isDirect ? 0 : 2), (decider.LeftSome, decider.SignalsPutBack));
        Assert.Equal(isDirect ? null : signals[1..], decisions[1].Sent);
        Assert.Equal(isDirect ? null : last.Signals, decisions[2].Sent);
    }

    /// <summary>They were kept until their step had come, and each handler takes as long as a turn may.</summary>
    [Theory]
    [InlineData(2)]
    [InlineData(4)]
    public void Kept_signals_and_those_behind_them_are_handled_in_order_by_one_turn_after_the_other(int kept)
    {
        var definition = Workflow
            .Define<Tally>("keeping")
            .WaitFor<int>("first", (_, _) => { })
            .WaitFor<int>("go", (tally, number, _) =>
            {
                _clock.Advance(Options.DecideTimeout / 4);
                tally.Numbers.Add(number);
                return tally.Numbers.Count < 4 ? Next.Stay : Next.Complete;
            })
            .Build();
        var decider = Decider(definition);
        var (instance, _) = Start(definition);
        var signals = Range(0, 4).Select(i => Go(instance) with { Payload = [(byte)('0' + i)] }).ToList();
        signals.Insert(kept, Go(instance) with { Name = "first" });
        for (var turns = 0; !instance.Status.IsClosed(); turns++)
        {
            Assert.True(turns < 5, "It does not end.");
            var decision = Assert.Single(decider.Decide(BatchOf(instance, signals)));
            Assert.Equal(instance.Version, decision.ExpectedVersion);
            Assert.True(decision.Instance!.Version > instance.Version);
            instance = decision.Instance;
            signals = decision.Sent ?? [];
            decider.Committed(_client.Closed, _client.Hints, _counters);
        }

        Assert.Equal([0, 1, 2, 3], definition.ReadState(instance.State).Numbers);
    }

    /// <summary>A caller whose batch leaves them has the workers look again for what was stored for them meanwhile.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_parent_that_stays_open_is_left_by_the_batch_that_closes_its_child(bool staysOpen)
    {
        var child = Define("child").Build();
        var asking = Workflow.Define<Tally>("parent").Child("ask", child, _ => new Tally(), (_, _) => { });
        var parent = (staysOpen ? asking.WaitFor<int>("more", (_, _) => { }) : asking).Build();
        var decider = Decider(isDirect: true, parent, child);
        var (asker, children) = Start(parent);
        var closing = Assert.Single(children);
        var decision = Assert.Single(decider.Decide(BatchOf(closing, Go(closing))));
        Assert.False(decider.LeavesInstances);

        decider.DecideParents(BatchOf(asker, Assert.Single(decision.Sent!)));

        Assert.Equal(staysOpen, decider.LeavesInstances);
    }

    /// <summary>It would always be the first to meet it again, and a host that can go on with it the last.</summary>
    [Fact]
    public async Task An_instance_that_is_parked_sets_no_timer()
    {
        await using var hints = new WorkHints(_backend, _clock);
        var sleeper = WorkHintsTests.Sleep(hints);
        var decider = Decider(WithActivity);
        Assert.NotNull(Assert.Single(decider.Decide(Batch(WithActivity, static instance => instance with { Step = "renamed" }))).Sent);

        decider.Committed(_client.Closed, hints, _counters);

        _clock.Advance(FromHours(1));
        Assert.False(sleeper.IsCompleted);
    }

    /// <summary>A worker is woken when they are due by the database's clock, and not before.</summary>
    [Fact]
    public async Task Signals_that_are_put_behind_others_set_a_timer_for_their_time()
    {
        await using var hints = new WorkHints(_backend, _clock);
        var sleeper = WorkHintsTests.Sleep(hints);
        var (decider, batch) = (Decider(WithActivity), Batch(WithActivity));
        var signal = Assert.Single(batch.Instances).Signals[0];
        var earlier = signal with { Id = Guid.CreateVersion7() };
        var due = _memory.PutOff.PutOff(signal.InstanceId, [earlier], batch.Now, FromSeconds(1));

        var behind = Assert.Single(Assert.Single(decider.Decide(batch)).Sent!).Due.At!.Value;
        decider.Committed(_client.Closed, hints, _counters);

        Assert.True(behind > due);
        _clock.Advance(behind - batch.Now - FromTicks(1));
        Assert.False(sleeper.IsCompleted);
        _clock.Advance(FromTicks(1));
        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public void Metrics_count_what_was_committed_once()
    {
        var told = new List<(string Name, double Value)>();
        using var listener = Listen((name, value) => told.Add((name, value)));
        var definition = Define("over").Build();
        var batch = Batch(definition, static instance => instance with { Status = InstanceStatus.Completed });
        _clock.Advance(FromMinutes(71));
        var late = batch with { Now = _clock.GetUtcNow() };
        var decider = Decider(definition);

        decider.Decide(late);
        Assert.Single(Assert.Single(decider.Decide(late)).DeadLetters!);
        Assert.Empty(told);
        decider.Committed(_client.Closed, _client.Hints, _counters);

        Assert.Equal([(WorkflowMetrics.QueueTime, 71 * 60), ("workflow.dead_letters", 1)], told);
    }

    /// <summary>The process was short of threads. Of several, one may still be to blame.</summary>
    [Theory]
    [InlineData(1, false)]
    [InlineData(2, true)]
    public void An_instance_that_was_tried_alone_and_had_hardly_begun_is_not_to_blame(int instances, bool isSuspect)
    {
        BatchDecider? decider = null;
        var definition = Define("sudden", () => decider!.Failed(new TimeoutException("It took too long."), isAbandoned: true, _counters))
            .Build();
        decider = Decider(definition);
        var claimed = Range(0, instances).SelectMany(_ => Batch(definition).Instances).ToList();

        decider.Decide(new(_clock.GetUtcNow(), claimed));

        Assert.Equal(isSuspect, _memory.Isolation.IsSuspect(claimed[0].Instance.Id));
    }

    [Fact]
    public void A_batch_that_was_abandoned_before_it_began_runs_no_handler()
    {
        var runs = 0;
        var definition = Define("late", () => runs++).Build();
        var decision = new TimedDecision(Decider(definition), Batch(definition), _clock);
        Assert.True(decision.Abandon(Options.DecideTimeout));

        decision.Execute();

        Assert.Equal(0, runs);
        Assert.IsType<DecideTimeoutException>(decision.Decisions.Exception!.InnerException);
    }

    /// <summary>Activities have their turn after everything else has had one.</summary>
    [Fact]
    public async Task Worker_with_free_places_looks_again_while_activities_may_wait_for_them()
    {
        var definition = Define("plain").Build();
        using var worker = Worker(definition);
        await SubmitAsync(definition);
        _activities.IsCrowded = true;

        foreach (var (signals, wantsMore) in ((int, bool)[])[(1, true), (0, true), (0, false)])
        {
            Assert.Equal(signals, (await worker.LookAsync(Token)).Signals);
            Assert.Equal(wantsMore, worker.WantsMore);
            worker.Committed();
        }
    }

    /// <summary>Each handler takes half of the time that there is for a batch.</summary>
    [Fact]
    public async Task Worker_looks_again_for_what_there_was_no_time_for()
    {
        var definition = Define("slow", () => _clock.Advance(Options.DecideTimeout / 4)).Build();
        using var worker = Worker(definition);
        for (var i = 0; i < 3; i++)
            await SubmitAsync(definition);

        await worker.LookAsync(Token);

        Assert.True(worker.WantsMore);
    }

    [Fact]
    public async Task Dead_letters_that_become_due_again_wake_a_worker()
    {
        var (instance, _) = Start(WithActivity);
        var letter = new DeadLetter(Go(instance), DeadLetterReason.Refused, "", _clock.GetUtcNow());
        await _backend.SubmitAsync([new StartSubmission(new Decision { Instance = instance, DeadLetters = [letter] })], Token);
        var sleeper = WorkHintsTests.Sleep(_client.Hints);

        Assert.Equal(1, await _client.RequeueDeadLettersAsync([letter.Signal.Id], Token));

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Places_that_a_look_has_held_are_given_back_when_it_finds_nothing()
    {
        using var worker = Worker(WithActivity);
        _activities.IsCrowded = true;

        Assert.Equal(0, (await worker.LookAsync(Token)).Signals);

        Assert.Equal(Options.MaxActivities, _activities.FreePlaces);
    }

    [Fact]
    public async Task Places_of_a_look_whose_handler_does_not_end_are_given_back_when_it_is_abandoned()
    {
        using var end = new ManualResetEventSlim();
        var begun = new TaskCompletionSource();
        var definition = Define("hanging", () =>
            {
                begun.SetResult();
                end.Wait(Token);
            })
            .Build();
        using var worker = Worker(definition);
        await SubmitAsync(definition);
        _activities.IsCrowded = true;

        var look = worker.LookAsync(Token);
        await begun.Task.InTime();
        _clock.Advance(Options.DecideTimeout);
        worker.Failed(await Assert.ThrowsAsync<DecideTimeoutException>(() => look.InTime()));
        worker.Forget();

        Assert.Equal(Options.MaxActivities, _activities.FreePlaces);
        end.Set();
    }

    [Fact]
    public async Task Place_of_a_start_that_fails_is_given_back()
    {
        var definition = Workflow.Define<Tally>("starting").Activity("work", static (_, _) => Task.CompletedTask).Build();
        var options = Options with { MaxStateBytes = 1 };
        await using var client = new WorkflowClient(_backend, new([definition]), options, _clock);
        client.DecideBy(new(_backend, () => Decider(isDirect: true, definition), _activities, client, options, _counters, _clock, _log));

        await Assert.ThrowsAsync<WorkflowStateException>(() => client.StartAsync("starting", new Tally(), cancellationToken: Token));

        Assert.Equal(Options.MaxActivities, _activities.FreePlaces);
    }

    [Fact]
    public void An_abandoned_decider_takes_no_place_and_decides_no_other_instance()
    {
        BatchDecider? decider = null;
        var definition = Define("late", () => decider!.Abandon()).Activity("work", static (_, _) => Task.CompletedTask).Build();
        decider = Decider(definition);
        decider.Hold(_activities.ReserveUpTo(1));

        var decisions = decider.Decide(new(_clock.GetUtcNow(), [.. Batch(definition).Instances, .. Batch(definition).Instances]));
        Assert.Equal((1, 0), (decisions.Count, decider.Leased.Count()));
        decider.Forget();

        Assert.Equal((Options.MaxActivities, false), (_activities.FreePlaces, _activities.IsCrowded));
    }

    public async ValueTask DisposeAsync()
    {
        await _activities.DisposeAsync();
        await _client.DisposeAsync();
        await _backend.DisposeAsync();
    }

    /// <summary>Hears what this thread measures: other tests run beside this one.</summary>
    private static MeterListener Listen(Action<string, double> tell)
    {
        var thread = Environment.CurrentManagedThreadId;
        var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == WorkflowMetrics.Meter)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((instrument, value, _, _) => Tell(instrument.Name, value));
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => Tell(instrument.Name, value));
        listener.Start();
        return listener;

        void Tell(string name, double value)
        {
            if (Environment.CurrentManagedThreadId == thread)
                tell(name, value);
        }
    }

    private static WorkflowBuilder<Tally> Define(string name, Action? handle = null) =>
        Workflow.Define<Tally>(name).WaitFor<int>("go", (_, _) => handle?.Invoke());

    private BatchDecider Decider(params WorkflowDefinition[] definitions) => Decider(isDirect: false, definitions);

    private BatchDecider Decider(bool isDirect, params WorkflowDefinition[] definitions) =>
        new(new(definitions), _activities, _memory, _backend.Capabilities, Options, _clock, _log, isDirect);

    private SignalWorker Worker(WorkflowDefinition definition) =>
        new(_backend, () => Decider(definition), _activities, _memory, _client, Options, _counters, _clock);

    private Task SubmitAsync(WorkflowDefinition<Tally> definition)
    {
        var (instance, _) = Start(definition);
        return _backend.SubmitAsync([new StartSubmission(new Decision { Instance = instance }), new SignalSubmission(Go(instance))], Token);
    }

    /// <summary>One instance that waits for a signal, and the signal.</summary>
    private ClaimedBatch Batch(WorkflowDefinition<Tally> definition, Func<InstanceRecord, InstanceRecord>? change = null)
    {
        var (instance, _) = Start(definition);
        return BatchOf(change?.Invoke(instance) ?? instance, Go(instance));
    }

    private ClaimedBatch BatchOf(InstanceRecord instance, params IEnumerable<Signal> signals)
    {
        var claimed = new ClaimedInstance(instance);
        claimed.Signals.AddRange(signals);
        return new(_clock.GetUtcNow(), [claimed]);
    }

    /// <summary>A new instance, and those that it has started.</summary>
    private (InstanceRecord Instance, IReadOnlyList<InstanceRecord> Started) Start(WorkflowDefinition<Tally> definition)
    {
        var now = _clock.GetUtcNow();
        var origin = new NewInstance(Guid.CreateVersion7(now), null, null, null, now);
        var turn = definition.BeginTurn(new TurnEnvironment(Options, _clock), origin, new Tally(), inline: false);
        turn.RunFirstSteps();
        var decision = turn.FinishStart();
        return (decision.Instance!, decision.Started ?? []);
    }

    private Signal Go(InstanceRecord instance) =>
        new()
        {
            Id = Guid.CreateVersion7(_clock.GetUtcNow()),
            InstanceId = instance.Id,
            Kind = SignalKind.External,
            Name = "go",
            Payload = "7"u8.ToArray(),
            Due = Due.AtTime(_clock.GetUtcNow()),
        };
}

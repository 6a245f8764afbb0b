using FsCheck;
using FsCheck.Fluent;

namespace Serdica.Perf.Workflows.Tests;

/// <summary>Decisions are pure: the same for the same input, whatever order disorder brings.</summary>
public sealed class TurnTests
{
    private static readonly WorkflowDefinition<Tally> Ordered = Workflow
        .Define<Tally>("ordered")
        .WaitFor<int>("a", (tally, number) => tally.Numbers.Add(number))
        .WaitFor<int>("b", (tally, number) => tally.Numbers.Add(number))
        .WaitFor<int>("c", (tally, number) => tally.Numbers.Add(number))
        .Build();

    [Fact]
    public void Any_order_and_any_batching_of_early_and_double_signals_ends_as_the_plain_order_does()
    {
        var disorder = Gen.Shuffle(new[] { "a", "b", "c" })
            .SelectMany(order => Gen.Choose(1, 3).ListOf(3), (order, cuts) => (Order: order, Cuts: cuts.ToArray()));

        Check.One(Config.QuickThrowOnFailure, Prop.ForAll(Arb.From(disorder), input =>
            {
                var signals = new Queue<string>(input.Order.Concat(input.Order.Take(1)));
                var record = Begin();
                foreach (var size in input.Cuts.Append(10))
                {
                    var batch = new List<string>();
                    while (batch.Count < size && signals.TryDequeue(out var name))
                        batch.Add(name);
                    if (batch.Count > 0 && !record.Status.IsClosed())
                        record = Decide(record, batch).Instance!;
                }

                return record.Status == InstanceStatus.Completed && Numbers(record).SequenceEqual([1, 2, 3]);
            }));
    }

    [Fact]
    public void Deciding_twice_gives_the_same_decision()
    {
        var record = Begin();

        var first = Decide(record, ["b", "a"]);
        var second = Decide(record, ["b", "a"]);

        Assert.Equal(first.Instance!.State, second.Instance!.State);
        Assert.Equal(
            (first.Instance.Version, first.Instance.Step, first.Instance.Status, first.ExpectedVersion),
            (second.Instance.Version, second.Instance.Step, second.Instance.Status, second.ExpectedVersion)
        );
        Assert.Equal((2L, "c", 0L), (first.Instance.Version, first.Instance.Step, first.ExpectedVersion));
        Assert.Empty(Numbers(record));
    }

    [Fact]
    public void Undone_handler_brings_back_what_it_wanted_withdrawn()
    {
        // The first signal sets a timer; the second leaves that wait and then fails: the timer must still be sent.
        var definition = Workflow
            .Define<Tally>("undone")
            .WaitFor<int>("a", (_, _) => { })
            .WaitFor<int>("b", (_, _, _) => Next.Step, timeout: FromMinutes(1), onTimeout: (_, _) => Next.Complete)
            .Do("fail", _ => throw new FormatException("No."))
            .Build();

        var decision = Decide(Begin(definition), ["a", "b"], definition);

        Assert.Equal("b", decision.Instance!.Step);
        Assert.Equal([SignalKind.Timer, SignalKind.Retry], decision.Sent!.Select(signal => signal.Kind).Order());
        Assert.Null(decision.Withdrawn?.FirstOrDefault());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Nothing_is_left_of_a_handler_whose_state_cannot_be_written(bool continues)
    {
        var large = Workflow.Define<Tally>("large").WaitFor<int>("a", (tally, _) => tally.Numbers.AddRange(new int[1_000_000]));
        var definition = (continues ? large.ContinueWith("on", Instant, _ => new Tally()) : large.Activity("call", Work)).Build();
        var record = Begin(definition);

        var turn = Handle(definition, record, [Signal(record, "z"), Signal(record, "a")]);

        var decision = turn.Decision;
        Assert.Equal((InstanceStatus.Waiting, "a"), (decision.Instance!.Status, decision.Instance.Step));
        Assert.Equal([SignalKind.Retry], decision.Sent!.Select(signal => signal.Kind));
        Assert.Equal((0, 0), (decision.Started?.Count ?? 0, decision.Continued?.Count ?? 0));
        Assert.Equal((0, 0), (decision.DeadLetters?.Count ?? 0, turn.Leases?.Count ?? 0));
    }

    [Fact]
    public void Retry_that_is_due_earlier_takes_the_place_of_the_pending_one()
    {
        var definition = Workflow
            .Define<Tally>("impatient")
            .WaitFor<int>("a", (_, _, _) => Next.Stay, null, FromMinutes(1), (_, _) => throw new FormatException("No."))
            .Build();
        var (timer, pending) = (Guid.CreateVersion7(), Guid.CreateVersion7());
        var record = Begin(definition) with { Progress = new Progress { TimerId = timer, RetryId = pending }.Write() };

        var decision = Handle(definition, record, [Signal(record, "a", SignalKind.Timer) with { Id = timer }]).Decision;

        Assert.Equal(SignalKind.Retry, Assert.Single(decision.Sent!).Kind);
        Assert.Equal([pending], decision.Withdrawn!);
    }

    [Fact]
    public void Activity_of_an_instance_that_begins_in_a_turn_is_leased_with_its_own_state()
    {
        var definition = ContinuedBy(Workflow.Define<Tally>("next").Activity("call", Work).Build());
        var record = Begin(definition);

        var turn = Handle(definition, record, [Signal(record, "a")]);

        var (lease, started) = (Assert.Single(turn.Leases!), Assert.Single(turn.Decision.Started!));
        Assert.Equal((started.Id, started.State), (lease.Lease.InstanceId, lease.State));
    }

    [Fact]
    public void Last_of_several_continuations_gets_all_keys_and_buries_what_no_step_has_taken()
    {
        var definition = ContinuedBy(Workflow.Define<Tally>("next").ContinueWith("on", Instant, _ => new Tally()).Build());
        var record = Begin(definition);

        var decision = Decide(record, ["z", "a"], definition);

        Assert.Equal(decision.Started!.Select(started => new Continuation(record.Id, started.Id)), decision.Continued!);
        var letter = Assert.Single(decision.DeadLetters!).Signal;
        Assert.Equal((decision.Started![^1].Id, "z"), (letter.InstanceId, letter.Name));
    }

    /// <summary>The dedup key of the signal may have been written after the others were copied.</summary>
    [Fact]
    public void Late_signal_goes_on_to_the_continuation_with_the_keys()
    {
        var next = Guid.CreateVersion7();
        var record = Begin() with { Status = InstanceStatus.Completed, Progress = new Progress { ContinuedAs = next }.Write() };

        var decision = Decide(record, ["a"]);

        Assert.Equal(next, Assert.Single(decision.Sent!).InstanceId);
        Assert.Equal([new Continuation(record.Id, next)], decision.Continued!);
    }

    [Fact]
    public void What_a_predecessor_kept_is_handled_before_what_comes_to_the_continuation_itself()
    {
        var next = Workflow.Define<Tally>("next").WaitFor<int>("z", (_, _) => { }).Build();
        var definition = ContinuedBy(next);
        var continued = Assert.Single(Decide(Begin(definition), ["z", "a"], definition).Started!);

        var decision = Handle(next, continued, [CancelReason.Signal(Guid.CreateVersion7(), continued.Id, "It is late.")]).Decision;

        Assert.Equal(InstanceStatus.Completed, decision.Instance!.Status);
    }

    [Fact]
    public void Instance_that_closes_withdraws_its_retry()
    {
        var pending = Guid.CreateVersion7();
        var definition = Workflow.Define<Tally>("short").WaitFor<int>("a", (_, _) => { }).Build();
        var record = Begin(definition) with { Progress = new Progress { RetryId = pending }.Write() };

        Assert.Equal([pending], Decide(record, ["a"], definition).Withdrawn!);
    }

    [Fact]
    public void Signal_that_is_kept_sends_no_second_retry()
    {
        var kept = BufferedSignal.Of(Signal(Begin(), "c")) with { NotBefore = Now + FromSeconds(1) };
        var record = Begin() with { Progress = new Progress { RetryId = Guid.CreateVersion7(), Inbox = [kept] }.Write() };

        Assert.Empty(Decide(record, ["b"]).Sent ?? []);
    }

    /// <summary>A later due time would let others overtake it at each claim of a full host.</summary>
    [Fact]
    public void Activity_that_finds_no_place_keeps_its_due_time()
    {
        var definition = Workflow.Define<Tally>("busy").Activity("call", Work).Build();
        var record = Begin(definition, canRunActivity: false);
        var due = Due.AtTime(Now - FromMinutes(1));
        var activity = Progress.Read(record.Progress).Activity!;
        var signal = Signal(record, "call", SignalKind.Activity) with { Id = activity.Id, Attempt = activity.Token, Due = due };

        Assert.Equal(due, Assert.Single(Handle(definition, record, [signal], canRunActivity: false).Decision.Sent!).Due);
    }

    [Fact]
    public void Second_report_of_a_child_is_stale()
    {
        var results = -1;
        var (definition, record, reports) = ParentOfTwo(closed => results = closed);

        var turn = Handle(definition, record, [reports[0], reports[0] with { Id = Guid.CreateVersion7() }, reports[1]]);

        Assert.Equal((InstanceStatus.Completed, 1, 2), (turn.Decision.Instance!.Status, turn.StaleSignals, results));
    }

    /// <summary>They are read once for a large family, and the next try needs them again.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Results_of_children_are_taken_only_by_a_handler_that_does_not_fail(bool fails)
    {
        var (definition, record, reports) = ParentOfTwo(_ =>
        {
            if (fails)
                throw new FormatException("No.");
        });
        var family = Progress.Read(record.Progress).Children! with { IsRead = true };
        record = record with { Progress = new Progress { Children = family }.Write() };
        InstanceRecord?[] closed = [record with { Status = InstanceStatus.Completed }, record with { Status = InstanceStatus.Completed }];

        var turn = Handle(definition, record, reports, find: _ => closed);

        Assert.Equal((fails ? 1 : 0, fails), (turn.HandlerFailures, turn.TakenChildren is null));
    }

    [Fact]
    public void A_handler_that_is_tried_again_without_a_pause_gets_a_turn_for_each_try()
    {
        var definition = Workflow.Define<Tally>("stubborn").WaitFor<int>("a", (_, _) => throw new FormatException("No.")).Build();
        var record = Begin(definition);

        var turn = Handle(definition, record, [Signal(record, "a")], retry: new RetryPolicy { FirstDelay = TimeSpan.Zero });

        Assert.Equal((1, SignalKind.Retry), (turn.HandlerFailures, Assert.Single(turn.Decision.Sent!).Kind));
    }

    [Fact]
    public void Handler_whose_error_has_no_message_fails_as_any_other()
    {
        var definition = Workflow.Define<Tally>("mute").WaitFor<int>("a", (_, _) => throw new MuteException()).Build();
        var record = Begin(definition);

        var turn = Handle(definition, record, [Signal(record, "a")], retry: RetryPolicy.None);

        Assert.Contains(nameof(MuteException), Assert.Single(turn.Decision.DeadLetters!).Detail);
    }

    /// <summary>Without a state it could never be continued, and its parent would wait for ever.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Instance_whose_first_state_is_null_is_not_started(bool continues)
    {
        var first = Workflow.Define<Tally>("forgetful").WaitFor<int>("a", (_, _) => { });
        var definition = (
            continues ? first.ContinueWith("on", Ordered, _ => null!) : first.Child("ask", Ordered, _ => null!, (_, _) => { })
        ).Build();
        var record = Begin(definition);

        var turn = Handle(definition, record, [Signal(record, "a")]);

        Assert.IsType<WorkflowStateException>(turn.HandlerError);
        Assert.Empty(turn.Decision.Started ?? []);
    }

    private static DateTimeOffset Now { get; } = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private static WorkflowDefinition<Tally> Instant { get; } = Workflow.Define<Tally>("instant").Do("only", _ => { }).Build();

    private static Task Work(Tally tally, ActivityContext context) => Task.CompletedTask;

    private static WorkflowDefinition<Tally> ContinuedBy(WorkflowDefinition<Tally> next) =>
        Workflow.Define<Tally>("first").WaitFor<int>("a", (_, _) => { }).ContinueWith("on", next, _ => new Tally { Numbers = [7] }).Build();

    /// <summary>A parent that waits for two children, and the report of each.</summary>
    private static (WorkflowDefinition<Tally> Definition, InstanceRecord Parent, Signal[] Reports) ParentOfTwo(Action<int> onClosed)
    {
        Next Tell(int closed)
        {
            onClosed(closed);
            return Next.Step;
        }

        var definition = Workflow
            .Define<Tally>("parent")
            .Children("ask", Ordered, _ => [new Tally(), new Tally()], (_, closed, _) => Tell(closed.Count))
            .Build();
        var parent = Begin(definition);
        var family = Progress.Read(parent.Progress).Children!;
        var reports = family.Open.Select(child =>
            Signal(parent, "ordered", SignalKind.ChildClosed) with
            {
                Payload = new ChildReport
                {
                    Child = child,
                    Status = InstanceStatus.Completed,
                    State = "{}"u8.ToArray(),
                }.Write(),
            }
        );
        return (definition, parent, [.. reports]);
    }

    private static InstanceRecord Begin(WorkflowDefinition<Tally>? definition = null, bool canRunActivity = true)
    {
        var turn = (definition ?? Ordered).BeginTurn(
            Environment(canRunActivity),
            new NewInstance(Guid.CreateVersion7(), null, null, null, Now),
            new Tally(),
            inline: false
        );
        turn.RunFirstSteps();
        return turn.FinishStart().Instance!;
    }

    private static Decision Decide(InstanceRecord record, List<string> names, WorkflowDefinition<Tally>? definition = null) =>
        Handle(definition ?? Ordered, record, names.Select(name => Signal(record, name))).Decision;

    private static Turn Handle(
        WorkflowDefinition<Tally> definition,
        InstanceRecord record,
        IEnumerable<Signal> signals,
        bool canRunActivity = true,
        Func<ChildFamily, IReadOnlyList<InstanceRecord?>?>? find = null,
        RetryPolicy? retry = null
    )
    {
        var claimed = new ClaimedInstance(record);
        claimed.Signals.AddRange(signals);
        return definition.ContinueTurn(Environment(canRunActivity, find, retry), claimed, Now);
    }

    private static Signal Signal(InstanceRecord record, string name, SignalKind kind = SignalKind.External) =>
        new()
        {
            Id = SortableId.Next(Now),
            InstanceId = record.Id,
            Kind = kind,
            Name = name,
            Payload = JsonSerializer.SerializeToUtf8Bytes(name[0] - 'a' + 1),
        };

    private static List<int> Numbers(InstanceRecord record) =>
        JsonSerializer.Deserialize<Tally>(record.State, WorkflowJson.Options)!.Numbers;

    private static TurnEnvironment Environment(
        bool canRunActivity,
        Func<ChildFamily, IReadOnlyList<InstanceRecord?>?>? find = null,
        RetryPolicy? retry = null
    ) =>
        new(new WorkflowOptions { SignalRetry = retry ?? RetryPolicy.Default }, new ManualTimeProvider())
        {
            CanRunActivity = () => canRunActivity,
            FindChildren = find ?? (static _ => null),
        };

    private sealed class MuteException : Exception
    {
        public override string Message => throw new InvalidOperationException("Nothing to say.");
    }
}

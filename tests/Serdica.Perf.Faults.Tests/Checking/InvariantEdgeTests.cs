using static Serdica.Perf.Faults.Tests.Checking.SmallHistory;

namespace Serdica.Perf.Faults.Tests.Checking;

/// <summary>Histories of a few lines, on both sides of what an invariant allows.</summary>
public sealed class InvariantEdgeTests
{
    private const string Other = "other";

    private readonly Guid _id = Guid.CreateVersion7();
    private readonly KeptHistory _history = new();

    private HistoryRecord Row => State(_id, new() { Origin = "start" });

    /// <summary>Only signals that one client sent under one name, one after the other, have an order.</summary>
    [Theory]
    [InlineData(null, 1, 1)]
    [InlineData("client", 0, 0)]
    [InlineData("process", 0, 0)]
    [InlineData("name", 0, 0)]
    [InlineData("delay", 0, 0)]
    [InlineData("unknown", 0, 0)]
    [InlineData("unknown and accepted", 0, 0)]
    [InlineData("refused", 0, 0)]
    public void Signals_that_were_handled_the_other_way_round_are_found(string? different, int judged, int violations)
    {
        var second = Call(CallKind.Signal, _id, 2, "b");
        second = different switch
        {
            "client" => second with { Client = Other },
            "name" => second with { Name = Other },
            "delay" => second with { Delay = 1 },
            _ => second,
        };
        var answer = different switch
        {
            "unknown" => new() { Kind = HistoryKind.Unknown, Operation = 2 },
            "refused" => Refused(2),
            _ => Ack(2, AckOutcome.Accepted),
        };
        Accept(1, "a");
        _history.Add(different == "process" ? Other : "client", second, answer);
        if (different == "unknown and accepted")
            _history.Add("client", second with { Operation = 3 });
        AssertCounts(12, judged, violations, State(_id, new() { Origin = "start", Applied = ["b", "a"] }));
    }

    [Fact]
    public void Signals_that_were_handled_in_the_order_of_their_calls_are_in_order()
    {
        foreach (var (operation, key) in new[] { (1, "c"), (2, "a"), (3, "b") })
            Accept(operation, key);
        AssertCounts(12, 2, 0, State(_id, new() { Origin = "start", Applied = ["c", "a", "b"] }));
    }

    [Theory]
    [InlineData(2, 1)]
    [InlineData(3, 0)]
    public void Successes_of_a_slice_are_added_up(int before, int violations)
    {
        Limit(new() { LeastSuccesses = 3 });
        _history.Add("run", Fault(2_000_000, HistoryPhase.Began, null), Fault(4_000_000, HistoryPhase.Done, 1));
        Successes(_history, 1_500_000, before);
        Successes(_history, 3_000_000, 3);
        Successes(_history, 4_500_000, 3);
        AssertCounts(16, 1, violations);
    }

    /// <summary>It fired early, and then again in time.</summary>
    [Fact]
    public void First_time_that_a_timer_fired_is_the_one_that_may_be_early()
    {
        var armed = Turn(_id, 1, from: 0) with { Kind = HistoryKind.TimerArmed, Id = _id, Time = DateTimeOffset.UnixEpoch, Delay = 1_000 };
        HistoryRecord Fired(long operation, int after) =>
            armed with { Kind = HistoryKind.TimerFired, Operation = operation, Time = DateTimeOffset.UnixEpoch.AddMicroseconds(after) };
        _history.Add("host", armed, Ack(1, AckOutcome.Committed));
        _history.Add("host", Fired(2, 0), Ack(2, AckOutcome.Committed), Fired(3, 1_000), Ack(3, AckOutcome.Committed));

        var finding = Finding(11);

        Assert.Equal((1, 2), (finding.Judged, finding.Violations));
        Assert.Equal(
            [$"Timer {_id} of instance {_id} fired 2 times.", $"Timer {_id} of instance {_id} fired 1 ms early."],
            finding.Witnesses.Select(witness => witness.Sentence)
        );
    }

    /// <summary>A turn whose commit has no answer may have been written or not; one that is durable was.</summary>
    [Theory]
    [InlineData(true, 0, 1)]
    [InlineData(true, 1, 0)]
    [InlineData(false, 0, 0)]
    [InlineData(false, 1, 0)]
    [InlineData(false, 2, 1)]
    public void Row_is_where_its_turns_lead(bool isDurable, int version, int violations)
    {
        _history.Add("host", Turn(_id, 1, from: 0));
        if (isDurable)
            _history.Add("host", Ack(1, AckOutcome.Committed));
        AssertCounts(6, 1, violations, Row with { Version = version });
    }

    [Fact]
    public void Open_instance_is_shown_with_its_last_two_turns()
    {
        for (var version = 0; version < 3; version++)
            _history.Add("host", Turn(_id, version + 1, version), Ack(version + 1, AckOutcome.Committed));
        _history.Add("census", Open(Row, WaitKinds.Timer) with { Version = 3 });

        var finding = Finding(5);

        Assert.Equal(
            ["census:2", "host:4", "host:5", "host:6", "host:7"],
            Assert.Single(finding.Witnesses).Lines.Select(line => line[..line.IndexOf(' ')])
        );
    }

    /// <summary>Clocks of two processes differ by up to 2 ms.</summary>
    [Theory]
    [InlineData(2_000, 0)]
    [InlineData(2_001, 1)]
    public void Effect_after_the_next_attempt_began_is_within_the_error_of_the_clocks(int after, int violations)
    {
        _history.Add("host-1", Attempt(HistoryPhase.Began, 1), Attempt(HistoryPhase.Done, 1, at: 10_000 + after));
        _history.Add("host-2", Attempt(HistoryPhase.Began, 2, at: 10_000));
        AssertCounts(8, 1, violations);
    }

    /// <summary>The attempt begins at 1,000 ms and has its effect at 5,000 ms, when its process resumes.</summary>
    [Theory]
    [InlineData(900, 5_010, "pauseHost", "host-1", 0)]
    [InlineData(1_005, 4_990, "pauseHost", "host-1", 0)]
    [InlineData(100, 990, "pauseHost", "host-1", 1)]
    [InlineData(5_010, 9_000, "pauseHost", "host-1", 1)]
    [InlineData(900, 5_010, "pauseHost", "host-2", 1)]
    [InlineData(900, 5_010, "partitionHost", "host-1", 1)]
    public void Effect_behind_a_later_attempt_is_excused_by_a_stop_within_it(int from, int to, string fault, string process, int violations)
    {
        _history.Add("host-1", Attempt(HistoryPhase.Began, 1, at: 1_000_000), Attempt(HistoryPhase.Done, 1, at: 5_000_000));
        _history.Add("host-2", Attempt(HistoryPhase.Began, 2, at: 3_500_000));
        var began = Fault(from * 1_000, HistoryPhase.Began, null) with { Name = fault, Process = process };
        _history.Add("run", began, began with { At = to * 1_000, Phase = HistoryPhase.Done, Value = 1 });
        AssertCounts(8, 1, violations);
    }

    [Theory]
    [InlineData(0, null)]
    [InlineData(1, "1 attempt was repeated after it had its effect.")]
    [InlineData(2, "2 attempts were repeated after they had their effect.")]
    public void Attempts_that_were_repeated_after_their_effect_are_counted(int repeated, string? note)
    {
        for (var token = 1; token <= 3; token++)
        {
            var phase = token <= repeated ? HistoryPhase.Done : HistoryPhase.Failed;
            _history.Add("host-1", Attempt(HistoryPhase.Began, token), Attempt(phase, token));
        }

        AssertCounts(8, Math.Min(repeated, 1), 0);
        Assert.Equal(note, Finding(8).Note);
    }

    [Fact]
    public void One_attempt_has_no_other_that_could_own_its_activity()
    {
        _history.Add("host-1", Attempt(HistoryPhase.Began, 1), Attempt(HistoryPhase.Done, 1));
        AssertCounts(8, 0, 0);
    }

    [Theory]
    [InlineData("host-1", "host-2", 3, 1)]
    [InlineData("host-2", "host-1", 3, 1)]
    [InlineData("host-1", "host-2", 2, 0)]
    public void Turn_of_unknown_outcome_leads_nowhere_beside_a_durable_one(string unknown, string durable, int version, int violations)
    {
        _history.Add("host-1", Turn(_id, 1, from: 0), Ack(1, AckOutcome.Committed));
        _history.Add(unknown, Turn(_id, 2, from: 1) with { Next = 3 });
        _history.Add(durable, Turn(_id, 3, from: 1), Ack(3, AckOutcome.Committed));
        AssertCounts(6, 3, violations, Row with { Version = version });
    }

    [Fact]
    public void Turn_that_leads_to_its_own_version_is_found()
    {
        _history.Add("host-1", Turn(_id, 1, from: 0) with { Next = 0 });

        Assert.Equal($"A turn of instance {_id} leads from version 0 to 0.", Sentence(6));
    }

    /// <summary>A history that does not say what its instances have to do is judged by the rest.</summary>
    [Theory]
    [InlineData(0, 0, 0, 0, 0, 0)]
    [InlineData(1, 1, 0, 0, 1, 0)]
    [InlineData(1, 0, 0, 0, 1, 1)]
    [InlineData(1, 2, 0, 0, 3, 1)]
    [InlineData(0, 0, 2, 2, 1, 0)]
    [InlineData(0, 0, 2, 1, 1, 1)]
    [InlineData(0, 0, 0, 2, 0, 0)]
    [InlineData(0, 0, 2, 2, 1, 1, 1)]
    [InlineData(0, 0, 2, 2, 1, 2, 4)]
    public void Instance_completes_after_all_of_its_steps(
        int works,
        int results,
        int children,
        int closed,
        int judged,
        int violations,
        int? rows = null
    )
    {
        var ledger = new LedgerState { Works = works > 0, Children = children };
        ledger.Results.AddRange(Range(0, results).Select(_ => new TakenResult("work", Guid.CreateVersion7(), 1)));

        // One child twice is not two.
        var ids = Range(0, 4).Select(_ => Guid.CreateVersion7()).ToList();
        ledger.Closed = [ids[0], ids[closed / 2]];
        _history.Add("census", [.. ids.Take(rows ?? closed).Select(id => State(id, new()) with { Parent = _id })]);
        AssertCounts(1, judged, violations, State(_id, ledger));
    }

    [Theory]
    [InlineData(40_000, null, null, 0)]
    [InlineData(39_999, null, null, 1)]
    [InlineData(40_000, 1L, null, 1)]
    [InlineData(40_000, 2L, null, 1)]
    [InlineData(40_000, null, "other", 1)]
    public void Instance_completes_after_its_timer_may_have_fired(int delay, long? refused, string? fired, int violations)
    {
        var armed = Turn(_id, 1, from: 0) with { Kind = HistoryKind.TimerArmed, Id = _id, Delay = delay };
        _history.Add("host", Turn(_id, 3, from: 0), armed);
        var id = fired is null ? _id : Guid.CreateVersion7();
        _history.Add("host", armed with { Kind = HistoryKind.TimerFired, Operation = 2, Id = id });
        if (refused is { } operation)
            _history.Add("host", Refused(operation));
        AssertCounts(11, violations, violations, State(_id, new() { Pause = 40 }));
    }

    [Theory]
    [InlineData(false, false, 0)]
    [InlineData(true, false, 1)]
    [InlineData(false, true, 1)]
    public void Timer_that_fired_was_armed(bool isRefused, bool isOther, int violations)
    {
        var armed = Turn(_id, 1, from: 0) with { Kind = HistoryKind.TimerArmed, Id = _id };
        _history.Add("host", isOther ? armed with { Id = Guid.CreateVersion7() } : armed);
        if (isRefused)
            _history.Add("host", Refused(1));
        _history.Add("host", armed with { Kind = HistoryKind.TimerFired, Operation = 2 }, Ack(2, AckOutcome.Committed));
        _history.Add("host", armed with { Kind = HistoryKind.TimerFired, Operation = 3 });
        AssertCounts(11, 1, violations);
    }

    [Theory]
    [InlineData(null, false, 1)]
    [InlineData(null, true, 0)]
    [InlineData(HistoryKind.Unknown, false, 0)]
    [InlineData(HistoryKind.Refused, false, 1)]
    public void Instance_is_cancelled_by_somebody(object? answer, bool isChild, int violations)
    {
        if (answer is HistoryKind kind)
            _history.Add("client", Call(CallKind.Cancel, _id, 1), new() { Kind = kind, Operation = 1 });
        var row = Row with { Status = InstanceStatus.Cancelled };
        AssertCounts(5, 1, violations, isChild ? row with { Parent = Guid.CreateVersion7() } : row);
    }

    /// <summary>The last of five attempts may have been granted to a host that died before it began.</summary>
    [Theory]
    [InlineData(false, 4, 0, 1)]
    [InlineData(true, 3, 0, 1)]
    [InlineData(true, 4, 1, 1)]
    [InlineData(true, 4, 0, 0)]
    [InlineData(false, 0, 0, 0, 2)]
    public void Instance_faults_with_its_activity_or_a_child(bool works, int attempt, int results, int violations, int children = 0)
    {
        var ledger = new LedgerState { Works = works, Children = children, Closed = children > 0 ? [] : null };
        ledger.Results.AddRange(Repeat(new TakenResult("work", _id, 4), results));
        Limit(new() { ActivityAttempts = 5 });
        _history.Add("host-1", Attempt(HistoryPhase.Began, attempt));
        AssertCounts(5, 1, violations, State(_id, ledger) with { Status = InstanceStatus.Faulted });
    }

    /// <summary>The chain of continuations as a whole has the signals that its first instance expects.</summary>
    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 0)]
    public void Instance_completes_with_the_signals_that_it_expects(int applied, int violations)
    {
        var next = State(Guid.CreateVersion7(), new() { Root = _id, Round = 1, Applied = [.. Repeat("b", applied - 1)] });
        AssertCounts(5, 2, violations, State(_id, new() { Origin = "start", Expects = 2, Applied = ["a"] }), next with { Root = _id });
    }

    [Theory]
    [InlineData("a", DeadLetterReason.InstanceClosed, InstanceStatus.Completed, 0)]
    [InlineData("a", DeadLetterReason.InstanceClosed, InstanceStatus.Waiting, 1)]
    [InlineData("a", DeadLetterReason.BufferFull, InstanceStatus.Completed, 1)]
    [InlineData("poison", DeadLetterReason.AttemptsExhausted, InstanceStatus.Completed, 0)]
    [InlineData("poison", DeadLetterReason.InstanceClosed, InstanceStatus.Completed, 1)]
    [InlineData("poison", DeadLetterReason.InstanceClosed, InstanceStatus.Completed, 0, true)]
    [InlineData("poison", DeadLetterReason.InstanceClosed, InstanceStatus.Cancelled, 0)]
    public void Dead_letter_has_a_reason(string key, DeadLetterReason reason, InstanceStatus status, int violations, bool isUnknown = false)
    {
        Accept(1, key);
        if (isUnknown)
            _history.Add("client", Call(CallKind.Signal, _id, 2, key));
        _history.Add("census", Row with { Status = status });
        var judged = LedgerState.IsPoison(key) ? 1 : 0;
        AssertCounts(14, judged, violations, Row with { Kind = HistoryKind.DeadLetter, Key = key, Reason = reason });
    }

    /// <summary>A call that is made before its start was answered may overtake it.</summary>
    [Theory]
    [InlineData(AckOutcome.UnknownInstance, InstanceStatus.Completed, 0, 1)]
    [InlineData(AckOutcome.UnknownInstance, InstanceStatus.Completed, 1, 0)]
    [InlineData(AckOutcome.InstanceClosed, InstanceStatus.Completed, 0, 0)]
    [InlineData(AckOutcome.InstanceClosed, InstanceStatus.Waiting, 0, 1)]
    public void Answer_does_not_deny_an_instance(object answer, InstanceStatus status, int answeredAt, int violations)
    {
        var start = Call(CallKind.Start, _id, 1, "start") with { Instance = null };
        _history.Add("client", start, Ack(1, AckOutcome.Started) with { Instance = _id, At = answeredAt });
        _history.Add("client", Call(CallKind.Signal, _id, 2, "a"), Ack(2, (AckOutcome)answer));
        _history.Add("client", Call(CallKind.Cancel, _id, 3), Ack(3, (AckOutcome)answer));
        AssertCounts(9, 3, 2 * violations, Row with { Status = status });
    }

    [Theory]
    [InlineData(0, 1, 1)]
    [InlineData(2, 0, 0)]
    [InlineData(2, 3, 1)]
    public void Starts_without_a_business_key_give_as_many_instances_as_they_may(int starts, int rows, int violations)
    {
        for (var operation = 1; operation <= starts; operation++)
            _history.Add("client", Call(CallKind.Start, _id, operation, "start") with { Instance = null });
        AssertCounts(10, 0, violations, [.. Range(0, rows).Select(_ => Row with { Instance = Guid.CreateVersion7() })]);
    }

    [Theory]
    [InlineData(0, "Two turns of instance {0} were committed from versions 0 and 0: a fork.")]
    [InlineData(1, null)]
    [InlineData(2, "A turn of instance {0} began at version 2, which no turn had written: a gap.")]
    public void Durable_turns_follow_one_another(int from, string? sentence)
    {
        _history.Add("host", Turn(_id, 1, from: 0), Ack(1, AckOutcome.Committed), Turn(_id, 2, from), Ack(2, AckOutcome.Committed));

        var witness = Finding(6).Witnesses.SingleOrDefault();

        Assert.Equal(sentence is null ? null : string.Format(CultureInfo.InvariantCulture, sentence, _id), witness?.Sentence);
    }

    /// <summary>It may never have been written.</summary>
    [Fact]
    public void Turn_without_an_answer_may_begin_at_a_version_that_nobody_wrote()
    {
        _history.Add("host", Turn(_id, 1, from: 5));
        AssertCounts(6, 1, 0, Row);
    }

    /// <summary>One accepted call is a promise, whatever became of its repeats.</summary>
    [Theory]
    [InlineData(AckOutcome.Accepted)]
    [InlineData(AckOutcome.Duplicate)]
    public void Signal_of_which_one_call_of_two_was_accepted_is_not_to_be_lost(object answer)
    {
        var call = Call(CallKind.Signal, _id, 1, "a") with { DedupKey = "a" };
        _history.Add("client", call, call with { Operation = 2 }, Ack(2, (AckOutcome)answer));
        AssertCounts(2, 1, 1, Row);
    }

    /// <summary>It is a promise of that call.</summary>
    [Theory]
    [InlineData(AckOutcome.Accepted, 1, 0)]
    [InlineData(null, 0, 0)]
    [InlineData(AckOutcome.InstanceClosed, 0, 1)]
    public void Duplicate_repeats_a_call_with_its_dedup_key_that_may_have_been_written(object? first, int judged, int violations)
    {
        _history.Add("client", Call(CallKind.Signal, _id, 1, "a") with { DedupKey = "x" });
        if (first is AckOutcome answer)
            _history.Add("client", Ack(1, answer));
        _history.Add("client", Call(CallKind.Signal, _id, 2, "b") with { DedupKey = "x" }, Ack(2, AckOutcome.Duplicate));
        AssertCounts(2, judged, violations, State(_id, new() { Origin = "start", Applied = first is AckOutcome.Accepted ? ["a"] : [] }));
    }

    [Theory]
    [InlineData(2, 3, 0)]
    [InlineData(3, 3, 0)]
    [InlineData(4, 3, 1)]
    [InlineData(4, 0, 0)]
    public void Poison_is_tried_as_often_as_is_allowed(int attempts, int allowed, int violations)
    {
        const string Key = "poison-1";
        Limit(new() { SignalAttempts = allowed });
        Accept(1, Key);
        var letter = Row with { Kind = HistoryKind.DeadLetter, Key = Key, Reason = DeadLetterReason.AttemptsExhausted };
        AssertCounts(14, 1, violations, letter with { Attempts = attempts });
    }

    /// <summary>What is not required may be unproven; what is violated counts in any case.</summary>
    [Fact]
    public void Verdict_needs_the_required_proofs_only()
    {
        var start = Call(CallKind.Start, _id, 2, "start") with { Instance = null };
        Accept(1, "a");
        _history.Add("client", start, Ack(2, AckOutcome.Started) with { Instance = _id });
        _history.Add("census", new HistoryRecord { Kind = HistoryKind.Census, Census = new(0, 0, 1, 0, 0, 0, 0, 0, 0) });
        _history.Add("census", State(_id, new() { Origin = "start", Applied = ["a"] }));

        var report = _history.Check();

        Assert.Equal(
            (InvariantVerdict.Held, InvariantVerdict.Unproven, InvariantVerdict.Unproven),
            (report.Verdict([2]), report.Verdict([2, 7]), report.Verdict())
        );

        // The run itself says what it has to prove.
        Limit(new() { Required = [2] });
        report = _history.Check();
        Assert.Equal((InvariantVerdict.Held, InvariantVerdict.Unproven), (report.Verdict(), report.Verdict([7])));
    }

    /// <summary>With one attempt, or after one that failed, there is nothing that could have been fenced.</summary>
    [Theory]
    [InlineData(1, 1, 0, 0)]
    [InlineData(2, 1, 1, 1)]
    [InlineData(2, 2, 1, 0)]
    [InlineData(2, 2, 0, 0, HistoryPhase.Failed)]
    public void Result_is_that_of_the_newest_attempt(int attempts, int taken, int judged, int violations, object? first = null)
    {
        for (var token = 1; token <= attempts; token++)
        {
            var phase = token == 1 && first is HistoryPhase failed ? failed : HistoryPhase.Done;
            _history.Add("host-1", Attempt(HistoryPhase.Began, token), Attempt(phase, token));
        }

        // Another activity of the same instance.
        _history.Add("host-1", Attempt(HistoryPhase.Began, 9) with { Id = Guid.CreateVersion7() });
        AssertCounts(7, judged, violations, State(_id, new() { Origin = "start", Results = [new("work", _id, taken)] }));
    }

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 0)]
    [InlineData(2, 2, 1)]
    public void Instance_is_open_until_it_has_the_signals_that_it_expects(int expects, int accepted, int violations)
    {
        for (var operation = 1; operation <= accepted; operation++)
            Accept(operation, $"{operation}");
        AssertCounts(5, 1, violations, Open(State(_id, new() { Origin = "start", Expects = expects }), WaitKinds.External));
    }

    [Fact]
    public void Signals_that_were_handled_or_are_kept_have_come_whatever_their_answers()
    {
        Accept(1, "a");
        var row = Open(State(_id, new() { Origin = "start", Expects = 3, Applied = ["b"] }), WaitKinds.External);
        AssertCounts(5, 1, 1, row, Row with { Kind = HistoryKind.Pending, Key = "c" });
    }

    [Fact]
    public void Signal_that_one_inbox_keeps_twice_is_found()
    {
        var kept = Row with { Kind = HistoryKind.Pending, Key = "a" };
        Accept(1, "a");
        AssertCounts(2, 1, 1, Row, kept, kept);
    }

    [Fact]
    public void Open_continuation_is_judged_once_with_the_instance_that_it_continues()
    {
        var next = State(Guid.CreateVersion7(), new() { Root = _id, Round = 1 }) with { Root = _id };
        AssertCounts(5, 2, 1, Row, Open(next, WaitKinds.Timer));
    }

    /// <summary>A signal that was refused, or whose fate is unknown, is none that the instance was promised.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Signals_that_were_not_accepted_may_still_be_expected(bool isRefused)
    {
        _history.Add("client", Call(CallKind.Signal, _id, 1, "a"));
        if (isRefused)
            _history.Add("client", Refused(1));
        AssertCounts(5, 1, 0, Open(State(_id, new() { Origin = "start", Expects = 1 }), WaitKinds.External));
    }

    /// <summary>The beginning of the list, as long as it was then.</summary>
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(3, 1)]
    public void Read_is_judged_against_the_list_at_the_end(int seen, int violations)
    {
        string[] all = ["a", "b", "c"];
        var row = State(_id, new() { Origin = "start", Applied = ["a", "b"] });
        _history.Add("client", row with { Kind = HistoryKind.Read, Ledger = new() { Applied = [.. all.Take(seen)] } });
        AssertCounts(12, 1, violations, row);
    }

    [Fact]
    public void Start_with_a_business_key_gives_one_instance_and_the_sentence_has_the_key()
    {
        foreach (var operation in (long[])[1, 2])
        {
            var start = Call(CallKind.Start, _id, operation, $"start-{operation}") with { Instance = null, BusinessKey = "order-7" };
            _history.Add("client", start, Ack(operation, AckOutcome.Started) with { Instance = _id });
        }

        _history.Add("census", State(_id, new() { Origin = "start-1" }) with { BusinessKey = "order-7" });

        Assert.Equal("Two starts with business key order-7 got the answer that they created the instance.", Sentence(10));
    }

    [Fact]
    public void Repeated_start_without_a_business_key_may_give_another_instance()
    {
        foreach (var operation in (long[])[1, 2])
        {
            var id = Guid.CreateVersion7();
            _history.Add(
                "client",
                Call(CallKind.Start, id, operation, "start-1") with
                {
                    Instance = null,
                },
                Ack(operation, AckOutcome.Started) with
                {
                    Instance = id,
                }
            );
            _history.Add("census", State(id, new() { Origin = "start-1" }));
        }

        AssertCounts(10, 0, 0);
    }

    [Fact]
    public void First_ten_violations_are_shown()
    {
        for (var i = 0; i < 11; i++)
            _history.Add("census", State(Guid.CreateVersion7(), new()));

        var finding = Finding(3);

        Assert.Equal((11, 10), (finding.Violations, finding.Witnesses.Count));
    }

    [Fact]
    public void First_eight_lines_of_a_violation_are_shown()
    {
        for (var token = 1; token <= 9; token++)
            _history.Add("host-1", Attempt(HistoryPhase.Began, token));
        _history.Add("host-1", Attempt(HistoryPhase.Done, 1));
        _history.Add("census", State(_id, new() { Origin = "start", Results = [new("work", _id, 1)] }));

        Assert.Equal(8, Assert.Single(Finding(7).Witnesses).Lines.Count);
    }

    /// <summary>Two calls with one dedup key are one signal; without one, each call may be a signal.</summary>
    [Theory]
    [InlineData(null, 2, 0)]
    [InlineData(null, 3, 1)]
    [InlineData("once", 1, 0)]
    [InlineData("once", 2, 1)]
    public void Repeated_calls_are_as_many_signals_as_they_may_be(string? dedupKey, int handled, int violations)
    {
        foreach (var operation in (long[])[1, 2])
        {
            var call = Call(CallKind.Signal, _id, operation, "a") with { DedupKey = dedupKey };
            _history.Add("client", call, Ack(operation, AckOutcome.Accepted));
        }

        AssertCounts(2, 1, violations, State(_id, new() { Origin = "start", Applied = [.. Repeat("a", handled)] }));
    }

    /// <summary>A run that proves less does not need what is unproven; what is held or violated counts as ever.</summary>
    [Fact]
    public void Text_says_which_unproven_invariants_are_not_required()
    {
        _history.Add("census", State(_id, new() { Origin = "start", Applied = ["invented"] }));
        using var text = new StringWriter();

        Limit(new() { Required = [1] });
        CheckReportText.Write(text, _history.Check());

        var lines = text.ToString().Split(Environment.NewLine);
        Assert.Equal(" 1  exactly-once effect      unproven              0 judged", lines[0]);
        Assert.Equal(" 2  no lost signal           unproven              0 judged, not required", lines[1]);
        Assert.Equal(" 3  no phantom               VIOLATED              2 judged", lines[2]);
        Assert.Equal("", lines[16]);
        Assert.StartsWith("no phantom: Nothing is handled that was not sent", lines[17]);
        Assert.EndsWith(" Violations: 2.", lines[17]);
        Assert.StartsWith("    census:2 {", lines[19]);
        Assert.Contains("0 operations in 4 lines; 0 without an answer.", lines);
    }

    private string Sentence(int number) => Assert.Single(Finding(number).Witnesses).Sentence;

    private InvariantFinding Finding(int number) => SmallHistory.Finding(_history, number);

    private void Accept(long operation, string key) =>
        _history.Add("client", Call(CallKind.Signal, _id, operation, key), Ack(operation, AckOutcome.Accepted));

    private void Limit(HistoryLimits limits) => _history.Add("run", new HistoryRecord { Kind = HistoryKind.Limits, Limits = limits });

    private void AssertCounts(int invariant, long judged, long violations, params HistoryRecord[] rows)
    {
        _history.Add("census", rows);
        Assert.Equal((judged, violations), Counts(_history, invariant));
    }

    private static HistoryRecord Open(HistoryRecord row, WaitKinds waits) => row with { Status = InstanceStatus.Waiting, Waits = waits };

    private HistoryRecord Attempt(HistoryPhase phase, int token, int at = 0) =>
        Turn(_id, 0, from: 0) with { Kind = HistoryKind.Effect, Id = _id, Phase = phase, Token = token, At = at };
}

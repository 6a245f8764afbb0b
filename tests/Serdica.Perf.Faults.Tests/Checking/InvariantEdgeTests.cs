using Serdica.Perf.Faults.Checking;
using Serdica.Perf.Faults.Checking.Invariants;
using static Serdica.Perf.Faults.Tests.Checking.SmallHistory;

namespace Serdica.Perf.Faults.Tests.Checking;

/// <summary>Histories of a few lines, on both sides of what an invariant allows.</summary>
public sealed class InvariantEdgeTests
{
    private const string Other = "other";

    private readonly Guid _id = Guid.CreateVersion7();
    private readonly KeptHistory _history = new();

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
        _history.Add("client", Call(CallKind.Signal, _id, 1, "a"), Ack(1, AckOutcome.Accepted));
        _history.Add(different == "process" ? Other : "client", second, answer);
        if (different == "unknown and accepted")
            _history.Add("client", second with { Operation = 3 });
        _history.Add("census", State(_id, new() { Origin = "start", Applied = ["b", "a"] }));

        Assert.Equal((judged, violations), Counts(_history, 12));
    }

    [Fact]
    public void Signals_that_were_handled_in_the_order_of_their_calls_are_in_order()
    {
        foreach (var (operation, key) in new[] { (1, "c"), (2, "a"), (3, "b") })
            _history.Add("client", Call(CallKind.Signal, _id, operation, key), Ack(operation, AckOutcome.Accepted));
        _history.Add("census", State(_id, new() { Origin = "start", Applied = ["c", "a", "b"] }));

        Assert.Equal((2, 0), Counts(_history, 12));
    }

    [Theory]
    [InlineData(2, 1)]
    [InlineData(3, 0)]
    public void Successes_of_a_slice_are_added_up(int before, int violations)
    {
        _history.Add("run", new HistoryRecord { Kind = HistoryKind.Limits, Limits = new() { LeastSuccesses = 3 } });
        _history.Add("run", Fault(2_000_000, HistoryPhase.Began, null), Fault(4_000_000, HistoryPhase.Done, 1));
        Successes(_history, 1_500_000, before);
        Successes(_history, 3_000_000, 3);
        Successes(_history, 4_500_000, 3);

        Assert.Equal((1, violations), Counts(_history, 16));
    }

    /// <summary>It fired early, and then again in time.</summary>
    [Fact]
    public void First_time_that_a_timer_fired_is_the_one_that_may_be_early()
    {
        var armed = Turn(_id, 1, from: 0) with { Kind = HistoryKind.TimerArmed, Id = _id, Time = DateTimeOffset.UnixEpoch, Delay = 1_000 };
        HistoryRecord Fired(long operation, int after) =>
            armed with
            {
                Kind = HistoryKind.TimerFired,
                Operation = operation,
                Time = DateTimeOffset.UnixEpoch.AddMicroseconds(after),
            };
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
        _history.Add("census", State(_id, new() { Origin = "start" }) with { Version = version });

        Assert.Equal((1, violations), Counts(_history, 6));
    }

    [Fact]
    public void Open_instance_is_shown_with_its_last_two_turns()
    {
        for (var version = 0; version < 3; version++)
            _history.Add("host", Turn(_id, version + 1, version), Ack(version + 1, AckOutcome.Committed));
        _history.Add("census", Open(State(_id, new() { Origin = "start" }), WaitKinds.Timer) with { Version = 3 });

        var finding = Finding(5);

        Assert.Equal(
            ["census:2", "host:4", "host:5", "host:6", "host:7"],
            Assert.Single(finding.Witnesses).Lines.Select(line => line[..line.IndexOf(' ', StringComparison.Ordinal)])
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

        Assert.Equal((1, violations), Counts(_history, 8));
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

        Assert.Equal((1, 0), Counts(_history, 8));
        Assert.Equal(note, Finding(8).Note);
    }

    [Fact]
    public void One_attempt_has_no_other_that_could_own_its_activity()
    {
        _history.Add("host-1", Attempt(HistoryPhase.Began, 1), Attempt(HistoryPhase.Done, 1));

        Assert.Equal((0, 0), Counts(_history, 8));
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
        _history.Add("census", State(_id, new() { Origin = "start" }));

        Assert.Equal((1, 0), Counts(_history, 6));
    }

    /// <summary>One accepted call is a promise, whatever became of its repeats.</summary>
    [Fact]
    public void Signal_of_which_one_call_of_two_was_accepted_is_not_to_be_lost()
    {
        _history.Add("client", Call(CallKind.Signal, _id, 1, "a"), Call(CallKind.Signal, _id, 2, "a"), Ack(2, AckOutcome.Accepted));
        _history.Add("census", State(_id, new() { Origin = "start" }));

        Assert.Equal((1, 1), Counts(_history, 2));
    }

    [Theory]
    [InlineData(2, 3, 0)]
    [InlineData(3, 3, 0)]
    [InlineData(4, 3, 1)]
    [InlineData(4, 0, 0)]
    public void Poison_is_tried_as_often_as_is_allowed(int attempts, int allowed, int violations)
    {
        const string Key = "poison-1";
        _history.Add("run", new HistoryRecord { Kind = HistoryKind.Limits, Limits = new() { SignalAttempts = allowed } });
        _history.Add("client", Call(CallKind.Signal, _id, 1, Key), Ack(1, AckOutcome.Accepted));
        _history.Add(
            "census",
            Call(default, _id, 0, Key) with
            {
                Kind = HistoryKind.DeadLetter,
                Call = null,
                Reason = DeadLetterReason.AttemptsExhausted,
                Attempts = attempts,
            }
        );

        Assert.Equal((1, violations), Counts(_history, 14));
    }

    /// <summary>What is not required may be unproven; what is violated counts in any case.</summary>
    [Fact]
    public void Verdict_needs_the_required_proofs_only()
    {
        var start = Call(CallKind.Start, _id, 2, "start") with { Instance = null };
        _history.Add("client", Call(CallKind.Signal, _id, 1, "a"), Ack(1, AckOutcome.Accepted));
        _history.Add("client", start, Ack(2, AckOutcome.Started) with { Instance = _id });
        _history.Add("census", new HistoryRecord { Kind = HistoryKind.Census, Census = new(0, 0, 1, 0, 0, 0, 0, 0, 0) });
        _history.Add("census", State(_id, new() { Origin = "start", Applied = ["a"] }));

        var report = _history.Check();

        Assert.Equal(
            (InvariantVerdict.Held, InvariantVerdict.Unproven, InvariantVerdict.Unproven),
            (report.Verdict([2]), report.Verdict([2, 7]), report.Verdict())
        );
    }

    /// <summary>With one attempt there is nothing that could have been fenced.</summary>
    [Theory]
    [InlineData(1, 1, 0, 0)]
    [InlineData(2, 1, 1, 1)]
    [InlineData(2, 2, 1, 0)]
    public void Result_is_that_of_the_newest_attempt(int attempts, int taken, int judged, int violations)
    {
        for (var token = 1; token <= attempts; token++)
            _history.Add("host-1", Attempt(HistoryPhase.Began, token));

        // Another activity of the same instance.
        _history.Add("host-1", Attempt(HistoryPhase.Began, 9) with { Id = Guid.CreateVersion7() });
        _history.Add("census", State(_id, new() { Origin = "start", Results = [new("work", _id, taken)] }));

        Assert.Equal((judged, violations), Counts(_history, 7));
    }

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(1, 1, 1)]
    [InlineData(2, 1, 0)]
    [InlineData(2, 2, 1)]
    public void Instance_is_open_until_it_has_the_signals_that_it_expects(int expects, int accepted, int violations)
    {
        for (var operation = 1; operation <= accepted; operation++)
            _history.Add("client", Call(CallKind.Signal, _id, operation, $"{operation}"), Ack(operation, AckOutcome.Accepted));
        _history.Add("census", Open(State(_id, new() { Origin = "start", Expects = expects }), WaitKinds.External));

        Assert.Equal((1, violations), Counts(_history, 5));
    }

    [Fact]
    public void Open_continuation_is_judged_once_with_the_instance_that_it_continues()
    {
        var next = State(Guid.CreateVersion7(), new() { Root = _id, Round = 1 }) with { Root = _id };
        _history.Add("census", State(_id, new() { Origin = "start" }), Open(next, WaitKinds.Timer));

        Assert.Equal((2, 1), Counts(_history, 5));
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
        _history.Add("census", Open(State(_id, new() { Origin = "start", Expects = 1 }), WaitKinds.External));

        Assert.Equal((1, 0), Counts(_history, 5));
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
        _history.Add("census", row);

        Assert.Equal((1, violations), Counts(_history, 12));
    }

    [Fact]
    public void Start_with_a_business_key_gives_one_instance_and_the_sentence_has_the_key()
    {
        foreach (var operation in (long[])[1, 2])
        {
            var start = Call(CallKind.Start, _id, operation, $"start-{operation}") with { Instance = null, BusinessKey = "order-7" };
            _history.Add("client", start, Ack(operation, AckOutcome.Started) with { Instance = _id });
        }

        Assert.Equal("Two starts with business key order-7 got the answer that they created the instance.", Sentence(10));
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

        _history.Add("census", State(_id, new() { Origin = "start", Applied = [.. Enumerable.Repeat("a", handled)] }));

        Assert.Equal((1, violations), Counts(_history, 2));
    }

    /// <summary>A run that proves less does not need what is unproven; what is held or violated counts as ever.</summary>
    [Fact]
    public void Text_says_which_unproven_invariants_are_not_required()
    {
        _history.Add("census", State(_id, new() { Origin = "start", Applied = ["invented"] }));
        using var text = new StringWriter();

        CheckReportText.Write(text, _history.Check(), required: [1]);

        var lines = text.ToString().Split(Environment.NewLine);
        Assert.Equal(" 1  exactly-once effect      unproven              0 judged", lines[0]);
        Assert.Equal(" 2  no lost signal           unproven              0 judged, not required", lines[1]);
        Assert.Equal(" 3  no phantom               VIOLATED              2 judged", lines[2]);
        Assert.Equal("", lines[16]);
        Assert.StartsWith("no phantom: Nothing is handled that was not sent", lines[17], StringComparison.Ordinal);
        Assert.StartsWith("    census:2 {", lines[19], StringComparison.Ordinal);
        Assert.Contains("0 operations in 2 lines; 0 without an answer.", lines);
    }

    private string Sentence(int number) => Assert.Single(Finding(number).Witnesses).Sentence;

    private InvariantFinding Finding(int number) => SmallHistory.Finding(_history, number);

    private static HistoryRecord Open(HistoryRecord row, WaitKinds waits) => row with { Status = InstanceStatus.Waiting, Waits = waits };

    private HistoryRecord Attempt(HistoryPhase phase, int token, int at = 0) =>
        Turn(_id, 0, from: 0) with
        {
            Kind = HistoryKind.Effect,
            Id = _id,
            Phase = phase,
            Token = token,
            At = at,
        };
}

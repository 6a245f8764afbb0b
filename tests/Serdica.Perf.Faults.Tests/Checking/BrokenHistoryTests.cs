using static Serdica.Perf.Faults.Tests.Checking.SmallHistory;

namespace Serdica.Perf.Faults.Tests.Checking;

/// <summary>Histories of a right engine are accepted, whatever their seed; each way to break one is found by its invariant.</summary>
public sealed class BrokenHistoryTests
{
    /// <summary>Others with each run of the tests, and the same for all of one, which change copies of the same histories.</summary>
    private static readonly int[] Seeds = [.. Range(0, 15).Select(_ => Random.Shared.Next())];

    private static readonly TimeSpan Hour = FromHours(1);

    private readonly KeptHistory _history = new();

    [Fact]
    public void A_history_of_a_right_engine_is_accepted() => ForSeeds("continuation", history =>
        {
            Assert.DoesNotContain(history.Check().Violated, finding => finding.Number != 16);
            return true;
        });

    [Fact]
    public void A_result_that_was_taken_twice_is_found() =>
        Found(1, "activity", Row(row => row.Results.Count > 0, row => row.Results.Add(row.Results[0])));

    [Fact]
    public void A_second_effect_that_was_stored_by_one_attempt_is_found() =>
        Found(1, "activity", history =>
            history.RewriteFirst(TakenEffect(history), line =>
                [line, line with { Phase = HistoryPhase.Stored }, line with { Phase = HistoryPhase.Stored }]
            )
        );

    [Fact]
    public void An_activity_whose_result_was_lost_is_found() =>
        Found(1, "activity", Row(row => row.Results.Count > 0, row => row.Results.Clear()));

    [Fact]
    public void A_second_effect_of_one_attempt_is_found() =>
        Found(1, "activity", history => history.RewriteFirst(TakenEffect(history), line => [line, line]));

    [Fact]
    public void A_lost_signal_is_found() => Found(2, "signals", Row(row => row.Applied.Count > 0, row => row.Applied.RemoveAt(0)));

    [Fact]
    public void A_signal_that_was_handled_twice_is_found() =>
        Found(2, "signals", Row(row => row.Applied.Count > 0, row => row.Applied.Add(row.Applied[0])));

    [Fact]
    public void A_signal_that_was_refused_and_is_there_is_found()
    {
        var signal = Call(CallKind.Signal, Guid.CreateVersion7(), 1, "k");
        _history.Add("client", signal, Refused(1));
        _history.Add("census", signal with { Kind = HistoryKind.Pending, Call = null, Operation = 0 });

        Assert.Equal((0, 1), Counts(_history, 2));
    }

    [Fact]
    public void A_signal_that_nobody_sent_is_found() => Found(3, "signals", Row(_ => true, row => row.Applied.Add("invented")));

    [Fact]
    public void An_instance_that_nobody_started_is_found() => Found(3, "signals", history =>
        {
            history.Add("census", State(Guid.CreateVersion7(), new LedgerState { Origin = "nobody" }));
            return true;
        });

    [Fact]
    public void An_instance_that_only_the_database_counts_is_found() =>
        Found(4, "signals", Census(census => census with { Completed = census.Completed + 1 }));

    [Theory]
    [InlineData(InstanceStatus.Running)]
    [InlineData(InstanceStatus.Waiting)]
    [InlineData(InstanceStatus.Faulted)]
    [InlineData(InstanceStatus.Cancelled)]
    public void Instances_of_each_status_are_counted_apart(InstanceStatus status)
    {
        long Of(int counted) => (int)status == counted ? 1 : 0;
        var census = new CensusCounts(Of(0), Of(1), Of(2), Of(3), Of(4), 0, 0, 0, 0);
        _history.Add("census", new HistoryRecord { Kind = HistoryKind.Census, Census = census });
        Assert.Equal((1, 1), Counts(_history, 4));

        _history.Add("census", State(Guid.CreateVersion7(), new()) with { Status = status });
        Assert.Equal((1, 0), Counts(_history, 4));
    }

    [Fact]
    public void A_dead_letter_that_only_the_database_counts_is_found() => Found(4, "poison", Line(HistoryKind.DeadLetter, _ => []));

    [Fact]
    public void An_instance_that_waits_for_nothing_is_found() => Found(5, "timer", Open(WaitKinds.Timer));

    [Fact]
    public void An_instance_that_waits_although_its_signals_were_accepted_is_found() => Found(5, "signals", Open(WaitKinds.External));

    [Fact]
    public void An_instance_that_completed_before_its_last_signal_is_found() =>
        Found(5, "signals", Row(row => row.Applied.Count > 0, row => row.Applied.RemoveAt(row.Applied.Count - 1)));

    [Theory]
    [InlineData(InstanceStatus.Faulted)]
    [InlineData(InstanceStatus.Cancelled)]
    public void An_instance_that_ended_otherwise_than_it_had_to_is_found(InstanceStatus status) =>
        Found(5, "signals", Line(HistoryKind.State, line => [line with { Status = status }]));

    [Fact]
    public void A_signal_that_was_buried_for_no_reason_is_found() =>
        Found(14, "cancellation", Line(HistoryKind.DeadLetter, letter => [letter with { Reason = DeadLetterReason.BufferFull }]));

    [Theory]
    [InlineData(1, 0)]
    [InlineData(0, 1)]
    public void Due_signals_and_stuck_instances_that_the_database_counts_are_found(int due, int stuck) =>
        Found(5, "signals", Census(census => census with { SignalsDue = due, Stuck = stuck }));

    [Fact]
    public void An_instance_that_is_open_although_its_cancellation_was_accepted_is_found()
    {
        var id = Guid.CreateVersion7();
        _history.Add("client", Call(CallKind.Cancel, id, 1), Ack(1, AckOutcome.Accepted));
        _history.Add("census", State(id, new() { Origin = "start" }) with { Status = InstanceStatus.Waiting, Waits = WaitKinds.External });

        Assert.Equal((1, 1), Counts(_history, 5));
    }

    [Fact]
    public void A_fork_is_found() => Found(6, "signals", history =>
        {
            var turn = history.Lines.FirstOrDefault(line => line.Kind == HistoryKind.Turn && line.Version == 0);
            if (turn is null)
                return false;
            history.Add("other-host", turn with { Operation = 1 }, Ack(1, AckOutcome.Committed));
            return true;
        });

    [Fact]
    public void A_gap_is_found() => Found(6, "signals", Line(IsTurnFromZero, _ => []));

    [Fact]
    public void A_turn_that_goes_back_is_found() => Found(6, "signals", Line(IsTurnFromZero, turn => [turn with { Next = 0 }]));

    [Fact]
    public void A_version_that_no_turn_wrote_is_found() =>
        Found(6, "signals", Line(HistoryKind.State, line => [line with { Version = line.Version + 7 }]));

    [Fact]
    public void Versions_are_not_judged_where_no_host_records_its_turns()
    {
        _history.Add("census", State(Guid.CreateVersion7(), new()) with { Version = 3 });

        Assert.Equal((0, 0), Counts(_history, 6));
    }

    [Fact]
    public void The_result_of_an_attempt_that_lost_its_lease_is_found() =>
        Found(7, "activity", history =>
            history.RewriteFirst(TakenEffect(history), line => [line, line with { Token = line.Token + 1, Phase = HistoryPhase.Began }])
        );

    [Fact]
    public void An_effect_after_the_next_attempt_has_begun_is_found() => Found(8, "activity", history =>
        {
            history.Rewrite(line => line.Kind == HistoryKind.Fault ? [] : [line]);
            return history.RewriteFirst(TakenEffect(history), line =>
                [line with { Token = line.Token + 1, Phase = HistoryPhase.Began }, line with { At = line.At + 5_000_000 }]
            );
        });

    [Fact]
    public void One_attempt_on_two_hosts_is_found() => Found(8, "activity", history =>
        {
            history.Add("other-host", history.Lines.First(line => IsEffect(HistoryPhase.Began)(line)));
            return true;
        });

    [Fact]
    public void An_acknowledged_start_that_is_gone_is_found() => Found(9, "signals", Line(HistoryKind.State, _ => []));

    [Fact]
    public void A_committed_turn_that_the_database_has_not_is_found()
    {
        var id = Guid.CreateVersion7();
        _history.Add("host", Turn(id, 1, from: 0), Ack(1, AckOutcome.Committed));
        _history.Add("census", State(id, new() { Origin = "start" }));

        Assert.Equal((1, 1), Counts(_history, 9));
    }

    [Fact]
    public void A_close_that_is_undone_is_found() => Found(9, "signals", Open(WaitKinds.External));

    [Theory]
    [InlineData(InstanceStatus.Completed, 4, 0)]
    [InlineData(InstanceStatus.Cancelled, 4, 1)]
    [InlineData(InstanceStatus.Completed, 5, 1)]
    public void A_close_that_was_seen_stays_as_it_was_seen(InstanceStatus status, long version, int violations)
    {
        var row = State(Guid.CreateVersion7(), new() { Origin = "start" });
        _history.Add("client", row with { Kind = HistoryKind.Close, Version = 4, Ledger = null });
        _history.Add("census", row with { Status = status, Version = version });

        Assert.Equal((1, violations), Counts(_history, 9));
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void A_child_whose_start_was_committed_is_there(bool isThere, int violations)
    {
        var id = Guid.CreateVersion7();
        _history.Add("host", Turn(id, 1, from: 0) with { Kind = HistoryKind.Started }, Ack(1, AckOutcome.Committed));
        if (isThere)
            _history.Add("census", State(id, new() { Origin = "child" }));

        Assert.Equal((1, violations), Counts(_history, 9));
    }

    [Fact]
    public void Two_instances_of_one_business_key_are_found() =>
        Found(10, "repeats", Line(HistoryKind.State, line => [line, line with { Instance = Guid.CreateVersion7() }]));

    [Fact]
    public void Two_starts_that_were_both_told_that_they_are_new_are_found() =>
        Found(10, "repeats", Line(line => line.Outcome == AckOutcome.Existing, line => [line with { Outcome = AckOutcome.Started }]));

    [Fact]
    public void Starts_with_one_business_key_that_were_answered_with_two_instances_are_found() =>
        Found(10, "repeats", Line(line => line.Outcome == AckOutcome.Existing, line => [line with { Instance = Guid.CreateVersion7() }]));

    [Fact]
    public void A_start_that_was_answered_with_the_instance_of_another_is_found() => Found(10, "repeats", history =>
        {
            var other = history.Lines.Last(line => line.Outcome == AckOutcome.Started).Instance;
            return history.RewriteFirst(line => line.Outcome == AckOutcome.Existing, line => [line with { Instance = other }])
                & history.RewriteFirst(line => line.Outcome == AckOutcome.Started, line => [line with { Instance = other }]);
        });

    [Fact]
    public void Business_key_with_tabs_and_line_ends_is_like_any_other()
    {
        HistoryRecord Start(long operation) =>
            Ack(operation, default) with
            {
                Kind = HistoryKind.Invoke,
                Call = CallKind.Start,
                BusinessKey = "a\tb\nc",
            };
        _history.Add("client", Start(1), Ack(1, AckOutcome.Started), Start(2), Ack(2, AckOutcome.Started));

        Assert.Equal((1, 1), Counts(_history, 10));
    }

    /// <summary>In microseconds, which servers round.</summary>
    [Theory]
    [InlineData(998, 0)]
    [InlineData(997, 1)]
    public void A_timer_is_due_after_its_delay(int after, int violations)
    {
        var (id, start) = (Guid.CreateVersion7(), DateTimeOffset.UnixEpoch);
        var armed = Turn(id, 1, from: 0) with { Kind = HistoryKind.TimerArmed, Id = id, Time = start, Delay = 1_000 };
        var fired = armed with { Kind = HistoryKind.TimerFired, Operation = 2, Time = start.AddMicroseconds(after) };
        _history.Add("host", armed, Ack(1, AckOutcome.Committed), fired, Ack(2, AckOutcome.Committed));

        Assert.Equal((1, violations), Counts(_history, 11));
    }

    [Fact]
    public void A_timer_that_fired_twice_is_found() => Found(11, "timer", history =>
        {
            history.Rewrite(line => IsFired(line) ? [line, line] : [line]);
            return history.Lines.Any(IsFired);
        });

    [Fact]
    public void A_timer_that_fired_early_is_found() => Found(11, "timer", Line(IsFired, line => [line with { Time = line.Time - Hour }]));

    [Fact]
    public void A_timer_that_nothing_armed_is_found() => Found(11, "timer", Line(HistoryKind.TimerArmed, _ => []));

    [Fact]
    public void A_wrong_order_is_found() => Found(12, "signals", Row(row => row.Applied.Count > 1, row => row.Applied.Reverse()));

    [Fact]
    public void A_read_that_is_no_beginning_of_the_list_is_found() =>
        Found(
            12,
            "signals",
            Line(HistoryKind.Read, line => [line with { Ledger = new() { Applied = ["never", .. line.Ledger!.Applied] } }])
        );

    [Fact]
    public void A_result_of_a_failed_attempt_is_found() =>
        Found(13, "activity", history => history.RewriteFirst(TakenEffect(history), line => [line with { Phase = HistoryPhase.Failed }]));

    [Fact]
    public void A_result_of_an_attempt_that_never_ran_is_found() =>
        Found(13, "activity", Row(row => row.Results.Count > 0, row => row.Results[0] = row.Results[0] with { Token = 99 }));

    [Fact]
    public void Poison_that_was_tried_too_often_is_found() =>
        Found(14, "poison", Line(HistoryKind.DeadLetter, line => [line with { Attempts = 9 }]));

    [Fact]
    public void Poison_that_is_kept_for_ever_is_found() =>
        Found(
            14,
            "poison",
            Line(
                line => line.Kind == HistoryKind.DeadLetter && LedgerState.IsPoison(line.Key),
                letter => [letter with { Kind = HistoryKind.Pending }]
            )
        );

    [Fact]
    public void A_dead_letter_of_a_handler_that_should_not_have_failed_is_found() =>
        Found(
            14,
            "poison",
            Line(
                line => line is { Kind: HistoryKind.DeadLetter, Reason: DeadLetterReason.AttemptsExhausted },
                letter => [letter, letter with { Key = "innocent" }]
            )
        );

    [Fact]
    public void Poison_that_was_handled_is_found() => Found(14, "poison", history =>
        {
            var letter = history.Lines.First(line => line.Kind == HistoryKind.DeadLetter);
            var row = history.Lines.First(line => line.Kind == HistoryKind.State && line.Instance == letter.Instance);
            row.Ledger!.Applied.Add(letter.Key!);
            return true;
        });

    [Fact]
    public void A_caller_that_gave_up_is_found()
    {
        var history = new KeptHistory();
        history.Add("clients", new HistoryRecord { Kind = HistoryKind.GaveUp, Client = "c0" });

        Assert.Equal((0, 1), Counts(history, 5));
    }

    [Fact]
    public void A_gauge_that_stays_up_is_found()
    {
        _history.Add("run", Gauge(HistoryPhase.Began, 10), Gauge(HistoryPhase.Done, 12));
        Assert.Equal((1, 0), Counts(_history, 15));

        _history.Add("run", Gauge(HistoryPhase.Done, 13));
        Assert.Equal((1, 1), Counts(_history, 15));
    }

    [Theory]
    [InlineData(19, 39, 0)]
    [InlineData(19, 40, 1)]
    [InlineData(200, 240, 0)]
    [InlineData(200, 241, 1)]
    public void A_gauge_may_stay_up_by_its_slack_or_by_its_band(double before, double after, int violations)
    {
        _history.Add(
            "run",
            new HistoryRecord
            {
                Kind = HistoryKind.Limits,
                Limits = new() { GaugeSlack = 20 },
            }
        );
        _history.Add("run", Gauge(HistoryPhase.Began, before), Gauge(HistoryPhase.Done, after));

        Assert.Equal((1, violations), Counts(_history, 15));
    }

    [Fact]
    public void Gauges_of_other_names_and_processes_are_apart()
    {
        _history.Add("run", Gauge(HistoryPhase.Began, 10), Gauge(HistoryPhase.Began, 20), Gauge(HistoryPhase.Done, 12));
        _history.Add("host-1", Gauge(HistoryPhase.Began, 100), Gauge(HistoryPhase.Done, 100));
        _history.Add("host-1", Gauge(HistoryPhase.Began, 1_000) with { Name = "threads" });
        _history.Add("host-1", Gauge(HistoryPhase.Done, 1_000) with { Name = "threads" });
        _history.Add("host-1", Gauge(HistoryPhase.Done, 1) with { Name = "new" });
        Assert.Equal((3, 0), Counts(_history, 15));

        _history.Add("run", Gauge(HistoryPhase.Done, 19));
        Assert.Equal((3, 1), Counts(_history, 15));
    }

    [Theory]
    [InlineData(true, 0)]
    [InlineData(null, 1)]
    public void A_fault_that_stops_the_load_needs_no_success_while_it_lasts(bool? stops, int violations)
    {
        _history.Add("run", Fault(2_000_000, HistoryPhase.Began, null) with { Stops = stops }, Fault(4_000_000, HistoryPhase.Done, 1));
        Successes(_history, 1_500_000, 1);
        Successes(_history, 4_500_000, 1);

        Assert.Equal((1, violations), Counts(_history, 16));
    }

    [Theory]
    [InlineData(1, 1, 1, 1, 0)]
    [InlineData(1, 0, 1, 1, 1)]
    [InlineData(1, 1, 0, 1, 1)]
    [InlineData(1, 1, 1, 0, 1)]
    [InlineData(0, 1, 1, 1, 1)]
    public void A_fault_without_evidence_or_successes_is_found(int evidence, int before, int during, int after, int violations)
    {
        _history.Add("run", Fault(2_000_000, HistoryPhase.Began, null), Fault(4_000_000, HistoryPhase.Done, evidence));
        Successes(_history, 1_500_000, before);
        Successes(_history, 2_000_000, during);
        Successes(_history, 4_500_000, after);

        Assert.Equal((1, violations), Counts(_history, 16));
    }

    [Theory]
    [InlineData(3_000_000, 4_500_000, 0)]
    [InlineData(2_010_000, 4_500_000, 1)]
    [InlineData(3_000_000, 3_910_000, 1)]
    public void What_succeeds_just_before_a_fault_or_its_end_is_neither_during_nor_after_it(long during, long after, int violations)
    {
        _history.Add("run", Fault(2_050_000, HistoryPhase.Began, null), Fault(3_950_000, HistoryPhase.Done, 1));
        foreach (var at in (long[])[1_500_000, during, after])
            Successes(_history, at, 1);

        Assert.Equal((1, violations), Counts(_history, 16));
    }

    [Theory]
    [InlineData(3_200_000, 0)]
    [InlineData(2_900_000, 2)]
    [InlineData(3_500_000, 2)]
    public void What_succeeds_during_a_fault_is_neither_after_the_last_nor_before_the_next(long between, int violations)
    {
        var (began, ended) = (Fault(3_400_000, HistoryPhase.Began, null), Fault(4_000_000, HistoryPhase.Done, 1));
        _history.Add("run", Fault(2_000_000, HistoryPhase.Began, null), Fault(3_000_000, HistoryPhase.Done, 1));
        _history.Add("run", began with { Operation = 2 }, ended with { Operation = 2 });
        foreach (var at in (long[])[1_500_000, 2_500_000, between, 3_600_000, 4_500_000])
            Successes(_history, at, 1);

        Assert.Equal((2, violations), Counts(_history, 16));
    }

    [Theory]
    [InlineData(100, 0)]
    [InlineData(99, 1)]
    public void A_fault_that_has_struck_less_often_than_wanted_is_found(int evidence, int violations)
    {
        _history.Add("run", Fault(2_000_000, HistoryPhase.Began, null) with { Least = 100 }, Fault(4_000_000, HistoryPhase.Done, evidence));
        foreach (var at in (long[])[1_500_000, 3_000_000, 4_500_000])
            Successes(_history, at, 1);

        Assert.Equal((1, violations), Counts(_history, 16));
    }

    /// <summary>Each process counts from its own start, here by another number of seconds.</summary>
    [Theory]
    [InlineData(10, 0)]
    [InlineData(11, 1)]
    [InlineData(9, 2)]
    public void Times_of_processes_that_started_at_other_times_are_compared(int clientStarted, int violations)
    {
        _history.Begin("client", DateTimeOffset.UnixEpoch.AddSeconds(clientStarted));
        _history.Add("run", Fault(12_000_000, HistoryPhase.Began, null), Fault(14_000_000, HistoryPhase.Done, 1));
        foreach (var at in (long[])[1_999_999, 3_000_000, 4_000_000])
            Successes(_history, at, 1);

        Assert.Equal((1, violations), Counts(_history, 16));
    }

    [Fact]
    public void A_fault_that_has_no_end_is_found()
    {
        _history.Add("run", Fault(2_000_000, HistoryPhase.Began, null));
        foreach (var at in (long[])[1_500_000, 3_000_000, 4_500_000])
            Successes(_history, at, 1);

        Assert.Equal((1, 1), Counts(_history, 16));
    }

    private static Func<HistoryRecord, bool> IsEffect(HistoryPhase phase) => line => line.Kind == HistoryKind.Effect && line.Phase == phase;

    /// <summary>An effect whose result was taken; those of attempts that came too late may be anything.</summary>
    private static Func<HistoryRecord, bool> TakenEffect(KeptHistory history)
    {
        var taken = history
            .Lines.Where(line => line.Kind == HistoryKind.State)
            .SelectMany(line => line.Ledger!.Results)
            .Select(result => ((Guid?)result.Activity, (int?)result.Token))
            .ToHashSet();
        return line => IsEffect(HistoryPhase.Done)(line) && taken.Contains((line.Id, line.Token));
    }

    private static bool IsFired(HistoryRecord line) => line.Kind == HistoryKind.TimerFired;

    private static bool IsTurnFromZero(HistoryRecord line) => line is { Kind: HistoryKind.Turn, Version: 0 };

    private static Func<KeptHistory, bool> Row(Func<LedgerState, bool> fits, Action<LedgerState> change) =>
        history =>
        {
            var row = history.Lines.FirstOrDefault(line => line is { Kind: HistoryKind.State, Ledger: { } ledger } && fits(ledger));
            if (row is null)
                return false;
            change(row.Ledger!);
            return true;
        };

    private static Func<KeptHistory, bool> Line(Func<HistoryRecord, bool> fits, Func<HistoryRecord, IEnumerable<HistoryRecord>> rewrite) =>
        history => history.RewriteFirst(fits, rewrite);

    private static Func<KeptHistory, bool> Line(HistoryKind kind, Func<HistoryRecord, IEnumerable<HistoryRecord>> rewrite) =>
        Line(line => line.Kind == kind, rewrite);

    private static Func<KeptHistory, bool> Census(Func<CensusCounts, CensusCounts> change) =>
        Line(HistoryKind.Census, line => [line with { Census = change(line.Census!) }]);

    private static Func<KeptHistory, bool> Open(WaitKinds waits) =>
        Line(HistoryKind.State, line => [line with { Status = InstanceStatus.Waiting, Waits = waits }]);

    private static void Found(int invariant, string shape, Func<KeptHistory, bool> breakIt) => ForSeeds(shape, history =>
        {
            if (!breakIt(history))
                return false;
            CheckReport report = history.Check();
            var finding = Assert.Single(report.Violated, finding => finding.Number == invariant);
            Assert.NotEmpty(finding.Witnesses[0].Lines);
            return true;
        });

    /// <summary>Some seeds have nothing to break; not all of them.</summary>
    private static void ForSeeds(string shape, Func<KeptHistory, bool> judge)
    {
        var judged = 0;
        EachItem.Holds(Seeds, seed =>
        {
            if (judge(KeptHistory.OfRightEngineAsync(shape, seed).GetAwaiter().GetResult()))
                judged++;
        });
        Assert.True(judged > 0, "No seed had anything to break.");
    }
}

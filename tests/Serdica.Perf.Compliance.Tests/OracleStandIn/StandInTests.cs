namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>What the Oracle backend promises beyond the suite, on the stand-in: calls, large contents, the exception queue.</summary>
public sealed class StandInTests(IvorySqlFixture server) : WorkflowBackendCompliance(new StandInFixture(server))
{
    private StandInFactory Factory => ((StandInStore)TestSchema).Factory;

    [Fact]
    public async Task Start_and_publish_are_one_round_trip_and_a_turn_is_three()
    {
        var instance = Seam.Instance();

        Assert.Equal(1, await RoundTripsOfAsync(() => Backend.SubmitAsync(Seam.Start(instance))));
        Assert.Equal(1, await RoundTripsOfAsync(() => Backend.SubmitAsync(Seam.Publish(instance.Id), Seam.Publish(instance.Id))));
        Assert.Equal(3, await RoundTripsOfAsync(() => Backend.TakeAsync()));
        Assert.Equal(2, await RoundTripsOfAsync(() => Backend.TakeAsync()));
        Assert.Equal(2, (await RecordOf(instance.Id)).Version);
    }

    [Fact]
    public async Task Contents_come_with_the_rows_in_one_round_trip()
    {
        var instance = Seam.Instance("key");
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id));
        await BuryAsync(instance.Id);

        Assert.Equal(1, await RoundTripsOfAsync(() => Backend.FindAsync(instance.Id, Token)));
        Assert.Equal(1, await RoundTripsOfAsync(() => Backend.FindByKeyAsync("key", Token)));
        Assert.Equal(1, await RoundTripsOfAsync(() => DeadLetters()));
    }

    [Fact]
    public async Task Batch_beyond_one_document_is_still_one_commit()
    {
        var instances = Range(0, 300).Select(_ => Seam.Instance()).ToList();

        var calls = await RoundTripsOfAsync(() => Backend.SubmitAsync([.. instances.Select(instance => Seam.Start(instance))], Token));
        Assert.InRange(calls, 3, 10);
        Assert.Equal(300, (await Census()).Total);

        var known = instances[0];
        await BackendFails(() =>
            Backend.SubmitAsync([.. Range(0, 300).Select(_ => Seam.Start(Seam.Instance())), Seam.Start(known)], Token)
        );
        Assert.Equal(300, (await Census()).Total);
    }

    [Fact]
    public async Task Start_whose_id_is_known_is_a_conflict_also_when_its_key_is_free()
    {
        var known = await Backend.StartAsync();

        var error = await BackendFails(() => Backend.SubmitAsync(Seam.Start(known with { BusinessKey = "free" })));

        Assert.Equal(("ORA-00001", BackendFailure.Conflict), (error.Code, error.Failure));
        Assert.Null(await Backend.FindByKeyAsync("free", Token));
    }

    [Fact]
    public async Task Start_whose_key_was_purged_before_its_owner_was_read_is_written()
    {
        var owner = Seam.Instance("key", WaitKinds.None, InstanceStatus.Completed);
        await Backend.SubmitAsync(Seam.Start(owner));

        // The moment between the insert that meets the taken key and the look for its owner: that finds nobody, and the next look
        // is for the id. What the first one did would be rolled back with it.
        await Factory.ExecuteAsync(
            """
            create sequence {wf}_looks;
            alter table {wf}_instance rename to {wf}_kept;
            create function {wf}_look() returns setof {wf}_kept language plpgsql as $$ declare v_look int8 := nextval('{wf}_looks'); begin
                if v_look = 2 then delete from {wf}_kept where status = 2; end if;
                return query select * from {wf}_kept where v_look > 1;
            end $$;
            create view {wf}_instance as select * from {wf}_look();
            create rule written as on insert to {wf}_instance do instead insert into {wf}_kept values (new.*)
            """,
            Token
        );
        var start = Seam.Start(Seam.Instance("key"));
        await Backend.SubmitAsync(start);

        Assert.Null(start.Existing);
        Assert.Equal(start.Decision.Instance!.Id, (await Backend.FindByKeyAsync("key", Token))!.Id);
        await Factory.ExecuteAsync("drop function {wf}_look cascade; alter table {wf}_kept rename to {wf}_instance", Token);
    }

    [Theory]
    [InlineData(15_900)]
    [InlineData(16_100)]
    [InlineData(33_000)]
    [InlineData(150_000)]
    public async Task Contents_of_any_size_go_through_a_turn(int size)
    {
        var state = Json('s', size);
        var payload = Json('p', size);
        var instance = Seam.Instance("large") with { State = state };
        await Backend.SubmitAsync(Seam.Start(instance));
        await Backend.SubmitAsync(new SignalSubmission(Seam.Signal(Guid.Empty) with { Payload = payload }, businessKey: "large"));

        ClaimedInstance? claimed = null;
        await Backend.ProcessAsync(
            10,
            batch =>
            {
                claimed = batch.Instances[0];
                return
                [
                    new Decision
                    {
                        Instance = claimed.Instance with { Version = 1, State = payload, Progress = state },
                        ExpectedVersion = 0,
                        DeadLetters = [new DeadLetter(claimed.Signals[0], DeadLetterReason.BufferFull, new string('d', 4_000))],
                    },
                ];
            },
            Token
        );

        Assert.Equal(state, claimed!.Instance.State);
        Assert.Equal(payload, Assert.Single(claimed.Signals).Payload);
        var record = await RecordOf(instance.Id);
        Assert.Equal(payload, record.State);
        Assert.Equal(state, record.Progress);
        var letter = Assert.Single(await DeadLetters());
        Assert.Equal(payload, letter.Signal.Payload);
        Assert.Equal(4_000, letter.Detail.Length);

        Assert.Equal(1, await Backend.RequeueDeadLettersAsync([letter.Signal.Id], Token));
        byte[]? again = null;
        await Backend.ProcessAsync(10, Seam.CountAfter(batch => again = batch.Instances[0].Signals[0].Payload), Token);
        Assert.Equal(payload, again);
    }

    [Fact]
    public async Task Signal_that_was_rolled_back_too_often_is_taken_from_the_exception_queue()
    {
        var instance = await Backend.StartAsync("go");

        for (var i = 0; i <= Factory.MaxRetries + 1; i++)
        {
            await Assert.ThrowsAsync<InvalidTimeZoneException>(() =>
                Backend.ProcessAsync(10, _ => throw new InvalidTimeZoneException("No."), Token)
            );
        }

        Assert.Equal(1, await Factory.CountAsync("exception", Token));
        Assert.Equal(0, (await Census()).DeadMessages);
        Assert.Equal(["go"], await Backend.TakeAsync());
        Assert.Equal(0, await Factory.CountAsync("exception", Token));
    }

    [Fact]
    public async Task Message_that_its_receivers_refuse_too_often_is_counted_as_dead_and_a_delayed_one_is_not_lost()
    {
        var queue = (IMessageQueue)Backend;
        var later = new Message { Id = Guid.CreateVersion7(), Due = Due.After(FromMilliseconds(1)) };
        await queue.SendAsync([new Message { Id = Guid.CreateVersion7() }, later], Token);
        await Eventually(async () => await ReceiveAsync(refuse: true) == 2, "both are due");

        for (var i = 0; i <= Factory.MaxRetries; i++)
            await ReceiveAsync(refuse: true);

        var census = await Census();
        Assert.Equal((0, 1), (census.Messages, census.DeadMessages));
        Assert.Equal(1, await ReceiveAsync(refuse: false));
        Assert.Equal(1, await Factory.CountAsync("exception", Token));

        async Task<int> ReceiveAsync(bool refuse)
        {
            var received = 0;
            try
            {
                await queue.ReceiveAsync(
                    10,
                    messages =>
                    {
                        received = messages.Messages.Count;
                        if (refuse)
                            throw new InvalidTimeZoneException("No.");
                    },
                    Token
                );
            }
            catch (InvalidTimeZoneException) { }

            return received;
        }
    }

    [Fact]
    public async Task Signal_whose_message_is_gone_is_told_and_stops_nobody_else()
    {
        var client = Client(Definitions.Appending);
        var started = await StartAsync(client, Definitions.Appending, 3);
        await client.SendAsync(started[0].Id, "append", Definitions.Last);
        await Factory.DeleteMessagesAsync(Token);
        var time = new ManualTimeProvider();
        var log = new LogList<OracleWorkflowBackend>();
        var looks = 0;
        Factory.Before = (name, _) =>
        {
            if (name == "claim_batch")
                Interlocked.Increment(ref looks);
            return Task.CompletedTask;
        };

        var host = await HostAsync(
            Own(new OracleWorkflowBackend(((StandInStore)TestSchema).Options(), log, time)),
            Quick with
            {
                Workers = 2,
            },
            Definitions.Appending
        );
        for (var round = 1; round <= 2; round++)
        {
            await client.SendAsync(started[round].Id, "append", Definitions.Last);
            await Completes(client, started[round].Id);
            var enough = Volatile.Read(ref looks) + 5;
            await Eventually(() => Task.FromResult(Volatile.Read(ref looks) >= enough), "looks that find nothing else");
            Assert.Equal(round, log.Lines.Count);
            time.Advance(FromMinutes(1));
        }

        await CountedAsync(host);
        Assert.Equal(0, host.Counters.BackendFailures);
        Assert.All(log.Lines, line => Assert.Contains($" 1 due signal(s) of store {Factory.Prefix}. ", line));
        Assert.Equal(1, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Signals_to_an_instance_that_was_purged_meanwhile_are_dropped_with_their_messages()
    {
        var purged = Seam.Instance();
        var other = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(purged), Seam.Start(other), Seam.Publish(purged.Id), Seam.Publish(other.Id, "fine"));
        await Backend.SubmitAsync(Seam.Publish(purged.Id, due: Due.After(FromHours(1))));
        await Factory.DeleteInstanceAsync(purged.Id, Token);

        Assert.Equal(["fine"], await Backend.TakeAsync());

        var census = await Census();
        Assert.Equal((0, 0), (census.SignalsDue, census.SignalsLater));
        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    [Theory]
    [InlineData("publish")]
    [InlineData("send")]
    [InlineData("requeue")]
    public async Task Signal_that_is_committed_after_its_instance_was_purged_is_gone_after_the_next_purge(string how)
    {
        var instance = await Backend.StartAsync("go");
        var letter = await BuryAsync(instance.Id);
        await Backend.SubmitAsync(Seam.Publish(instance.Id));
        var options = ((StandInStore)TestSchema).Options();
        await using var session = await new OracleConnections(options, new OracleScripts(options.Prefix)).OpenAsync(Token);
        await session.BeginAsync(Token);
        await Writes(how, instance.Id, letter).WriteAsync(session, Token);

        await Backend.ProcessAsync(10, Seam.Complete, Token);
        var purging = Backend.PurgeAsync(TimeSpan.Zero, Token);
        if (how == "requeue")
            await Eventually(async () => await Factory.WaitsAsync("purge_closed", Token), "the purge waits for the letter");
        else
            await purging;
        await session.CommitAsync();

        Assert.Equal(1, await purging);

        // A purge that waited for the letter finds itself what the requeue has left.
        Assert.Equal(how == "requeue" ? 0 : 1, await Factory.CountAsync("signal", Token));
        Assert.Equal(0, await Backend.PurgeAsync(TimeSpan.Zero, Token));
        var census = await Census();
        Assert.Equal((0, 0, 0), (census.SignalsDue, census.SignalsLater, census.DeadLetters));
        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    private static OracleBatch Writes(string how, Guid instanceId, Guid letter)
    {
        var batch = new OracleBatch();
        var signal = Seam.Signal(instanceId, "late", Due.After(FromHours(1)));
        _ = how switch
        {
            "publish" => batch.Publish(new SignalSubmission(signal, dedupKey: "once")),
            "send" => batch.Send(signal),
            _ => batch.Requeue(letter),
        };
        return batch;
    }

    /// <summary>Makes a dead letter of the one signal that is due.</summary>
    private async Task<Guid> BuryAsync(Guid instanceId)
    {
        await Backend.DecideAsync(
            (decision, claimed) => decision.DeadLetters = [new DeadLetter(claimed.Signals[0], DeadLetterReason.BufferFull, "No room.")]
        );
        var letter = Assert.Single(await DeadLetters());
        Assert.Equal(instanceId, letter.Signal.InstanceId);
        return letter.Signal.Id;
    }

    [Fact]
    public async Task Withdrawn_timers_leave_nothing_in_the_queue()
    {
        var instance = Seam.Instance();
        var timer = Seam.Signal(instance.Id, "timer", Due.After(FromHours(1)));
        await Backend.SubmitAsync(Seam.Start(instance, timer), Seam.Publish(instance.Id));
        Assert.Equal(2, await Factory.CountAsync("signal", Token));

        await Backend.DecideAsync((decision, _) => decision.Withdrawn = [timer.Id]);

        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    [Fact]
    public async Task Purge_is_several_calls_where_much_belongs_to_the_instances()
    {
        foreach (var closed in Range(0, 3).Select(_ => Seam.Closed()))
            await Backend.SubmitAsync(Seam.Start(closed, [.. Range(0, 50).Select(_ => Seam.Signal(closed.Id))]));
        var options = ((StandInStore)TestSchema).Options();
        await using var session = await new OracleConnections(options, new OracleScripts(options.Prefix)).OpenAsync(Token);

        var first = 0L;
        await Eventually(
            async () => (first = (await session.ExecuteAsync(OracleStatement.PurgeClosed, [0L, 2L], Token)).Number(0)) > 0,
            "the oldest is purged"
        );

        Assert.Equal(1, first);
        Assert.Equal(2, await Backend.PurgeAsync(TimeSpan.Zero, Token));
        Assert.Equal(0, await Factory.CountAsync("signal", Token));
    }

    [Fact]
    public async Task Messages_without_a_row_are_swept_and_others_stay()
    {
        var lost = Seam.Instance();
        var kept = Seam.Instance();
        var later = Due.After(FromHours(1));
        await Backend.SubmitAsync(Seam.Start(lost), Seam.Start(kept), Seam.Publish(lost.Id, due: later), Seam.Publish(kept.Id, "kept"));
        await ((IMessageQueue)Backend).SendAsync(
            [new Message { Id = Guid.CreateVersion7() }, new Message { Id = Guid.CreateVersion7(), Due = later }],
            Token
        );
        await Factory.ExecuteAsync("delete from {wf}_signal where due_us > aq_now(); delete from {wf}_later", Token);

        await Upkeep(TimeSpan.Zero).RunAsync(Token);

        Assert.Equal(1, await Factory.CountAsync("signal", Token));
        Assert.Equal(0, await Factory.CountAsync("later", Token));
        Assert.Equal(1, await Factory.CountAsync("message", Token));
        Assert.Equal(["kept"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Upkeep_is_of_one_process_and_waits_for_its_pause()
    {
        var calls = new List<string>();
        Factory.Before = (name, _) =>
        {
            calls.Add(name);
            return Task.CompletedTask;
        };
        var options = ((StandInStore)TestSchema).Options();
        await using var session = await new OracleConnections(options, new OracleScripts(options.Prefix)).OpenAsync(Token);

        await Upkeep(FromHours(1)).RunAsync(Token);
        Assert.Empty(calls);
        await Upkeep(TimeSpan.Zero).RunAsync(Token);
        Assert.Equal(["begin_upkeep", "sweep_messages", "coalesce-indexes"], calls);

        var hour = OracleTime.Microseconds(FromHours(1));
        Assert.Equal(0, (await session.ExecuteAsync(OracleStatement.BeginUpkeep, [hour], Token)).Number(0));
        Assert.Equal(1, (await session.ExecuteAsync(OracleStatement.BeginUpkeep, [0L], Token)).Number(0));
    }

    [Theory]
    [InlineData(300)]
    [InlineData(1_000)]
    public async Task Short_wait_hears_in_the_database_and_ends_at_its_deadline(int milliseconds)
    {
        var waits = new List<object?>();
        var held = new TaskCompletionSource();
        Factory.Before = async (name, values) =>
        {
            if (name != "await_work")
                return;
            waits.Add(values[1]);
            await held.Task;
        };

        // The database is still at it, for AQ waits in whole seconds.
        await Backend.WaitForWorkAsync(FromMilliseconds(milliseconds), Token).InTime();
        await Connect().NotifyWorkAsync(Token);
        var waiting = Backend.WaitForWorkAsync(FromMinutes(5), Token);
        held.SetResult();
        await waiting.InTime();

        Assert.Equal(1, Convert.ToInt64(Assert.Single(waits), null));
    }

    [Fact]
    public async Task Process_hears_the_hints_of_others_and_not_its_own_and_counts_both()
    {
        var backend = (OracleWorkflowBackend)Backend;
        var other = (OracleWorkflowBackend)Connect();
        await using var statistics = new OracleStatistics(((StandInStore)TestSchema).Options());
        statistics.Watch(backend);
        statistics.Watch(other);

        await backend.NotifyWorkAsync(Token);
        await backend.NotifyWorkAsync(Token);
        await backend.WaitForWorkAsync(FromMilliseconds(200), Token);
        Assert.Equal((1, 0), backend.Hints);
        await other.WaitForWorkAsync(FromMinutes(5), Token).InTime();

        Assert.Equal((0, 1), other.Hints);
        var values = (await statistics.TakeSnapshotAsync(SnapshotDepth.Sample, Token)).Values;
        Assert.Equal((1d, 1d), (values["hintsLeft"].Value, values["hintsHeard"].Value));
    }

    [Fact]
    public async Task Connection_that_died_in_the_pool_takes_the_others_with_it()
    {
        var instance = await Backend.StartAsync("go");

        foreach (var call in (Func<Task>[])[() => Backend.FindAsync(instance.Id, Token), () => Backend.TakeAsync()])
        {
            Factory.DeadInPool = 5;
            var error = await BackendFails(call);
            Assert.Equal((true, BackendFailure.ConnectionLost), (error.IsTransient, error.Failure));
            await call();
        }

        Assert.Equal(1, (await RecordOf(instance.Id)).Version);
    }

    [Fact]
    public async Task Set_up_goes_on_over_a_lost_connection()
    {
        var tries = 0;
        await ((OracleWorkflowBackend)Backend).DropSchemaAsync(Token);
        Factory.Before = (name, _) =>
            name == "migration-001" && tries++ == 0
                ? throw new StandInException(3113, "end-of-file on communication channel")
                : Task.CompletedTask;

        await Connect().InitializeAsync(Token);

        Assert.Equal(2, tries);
        await Backend.SubmitAsync(Seam.Start(Seam.Instance()));
    }

    [Fact]
    public async Task Statistics_fall_back_to_the_instance_and_then_to_a_sentence()
    {
        var options = ((StandInStore)TestSchema).Options();
        await using var statistics = new OracleStatistics(options);

        Factory.HasViews = true;
        var read = await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token);
        Factory.HasViews = false;
        var blind = await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token);

        Assert.Equal((7d, 4096d, "bytes"), (read.Values["commits"].Value, read.Values["walBytes"].Value, read.Values["walBytes"].Unit));
        Assert.Equal((120d, "ms"), (read.Values["redoSyncTime"].Value, read.Values["redoSyncTime"].Unit));
        Assert.Equal((2.5, "ms"), (read.Values["databaseCpu"].Value, read.Values["databaseCpu"].Unit));
        Assert.Equal((7.5, "ms"), (read.Values["databaseTime"].Value, read.Values["databaseTime"].Unit));
        Assert.Contains("no statistic", read.Values["rollbacks"].Missing);
        Assert.Equal(new WaitTime("Commit", "log file sync", 1_500, 3), Assert.Single(read.Waits));
        Assert.Equal(0, read.Values["backlogReady"].Value);
        Assert.Equal((5d, 4d), (read.Values["enqueued.signal"].Value, read.Values["dequeued.signal"].Value));
        Assert.Equal((30d, "ms"), (read.Values["enqueueTime.signal"].Value, read.Values["enqueueTime.signal"].Unit));
        Assert.Equal((0d, null), (read.Values["enqueued.later"].Value, read.Values["enqueued.later"].Missing));
        Assert.Equal(
            new StatementCost("BEGIN claim_batch; END;", 10, 25, 9, null) { CpuMilliseconds = 5, LogicalReads = 300 },
            Assert.Single(read.Statements)
        );
        Assert.Null(read.StatementsMissing);
        Assert.All(new[] { "commits", "databaseCpu", "sessions", "enqueued.signal" }, name =>
        {
            Assert.Null(blind.Values[name].Value);
            Assert.Contains("GRANT SELECT_CATALOG_ROLE", blind.Values[name].Missing);
        });
        Assert.Contains("GRANT", blind.WaitsMissing);
        Assert.Contains("GRANT", blind.StatementsMissing);
    }

    [Fact]
    public async Task Inspection_logs_in_makes_a_store_uses_it_and_drops_it()
    {
        var store = (StandInStore)TestSchema;
        Factory.HasViews = false;

        var findings = await OracleInspection.InspectAsync(store.Options() with { Factory = Factory.ForAnyPrefix() }, Token);

        Assert.DoesNotContain(findings, finding => finding.Problem);
        Assert.Contains(findings, finding => finding.Check == "Signal");
        Assert.Contains(findings, finding => finding.Check == "Message");
        Assert.Contains(findings, finding => finding is { Check: "Redo logs", Detail: "3 x 256 MB." });
        Assert.Contains(findings, finding => finding is { Check: "Server process", Detail: "dedicated." });
        Assert.Contains(findings, finding => finding is { Check: "Commits", Detail: "unknown: this user cannot read V$PARAMETER." });
        Assert.Equal("3 x 256 MB", (await OracleServerDescription.ReadAsync(store.Options(), Token)).Settings["redo_logs"]);
        Assert.Contains("SELECT_CATALOG_ROLE", findings.Single(finding => finding.Check == "Statistics").Detail);
        var views = findings.Single(finding => finding.Check == "Views").Detail;
        Assert.All(
            (string[])
                [
                    "statistics-counters",
                    "statistics-times",
                    "statistics-waits",
                    "statistics-sessions",
                    "statistics-processes",
                    "statistics-queues",
                    "statistics-statements",
                ],
            script => Assert.Contains(script, views)
        );
    }

    [Fact]
    public async Task Driver_is_set_the_same_way_in_every_run_unless_the_connection_string_says_otherwise()
    {
        var options = ((StandInStore)TestSchema).Options();
        var own = options with { ConnectionString = $"{options.ConnectionString};statement cache size=7;max pool size=3" };

        Assert.Equal(
            "Enlist=false, Self Tuning=false, Statement Cache Size=50, Min Pool Size=8, Max Pool Size=100",
            (await OracleServerDescription.ReadAsync(options, Token)).Settings["driver"]
        );
        Assert.Equal(
            "Enlist=false, Self Tuning=false, Statement Cache Size=7, Min Pool Size=3, Max Pool Size=3",
            (await OracleServerDescription.ReadAsync(own, Token)).Settings["driver"]
        );
    }

    private OracleUpkeep Upkeep(TimeSpan pause)
    {
        var options = ((StandInStore)TestSchema).Options();
        return new OracleUpkeep(new OracleConnections(options, new OracleScripts(options.Prefix)), pause);
    }

    private async Task<int> RoundTripsOfAsync(Func<Task> run)
    {
        var before = Factory.RoundTrips;
        await run();
        return Factory.RoundTrips - before;
    }

    private static byte[] Json(char letter, int size) => System.Text.Encoding.ASCII.GetBytes($"\"{new string(letter, size)}\"");
}

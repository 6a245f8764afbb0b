namespace Serdica.Perf.Compliance;

/// <summary>
/// Signals to instances that the backend knows, which are decided without reading them. Each test says how by the stored state:
/// it is not what was written, so a decision that has read it keeps it, and one that has not replaces it.
/// </summary>
public sealed class PostgreSqlUnreadFaults(PostgreSqlFixture fixture) : PostgreSqlSchemaFaults(fixture)
{
    private const string Written = "{}";
    private const string Stored = "[]";

    [Fact]
    public async Task Instance_that_this_process_has_decided_is_not_read_again()
    {
        var instance = await KnownAsync(Backend);

        await Backend.SubmitDirectAsync(Seam.Publish(instance.Id));

        await HoldsAsync(instance, version: 2, Written);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Age_of_a_closed_instance_counts_from_its_last_turn(bool isUnread)
    {
        var instance = await KnownAsync(Backend);
        await ExecuteAsync($"update {Schema}.instance set updated_at = now() - interval '1 day'");

        var signal = Seam.Publish(instance.Id);
        await (isUnread ? Backend.SubmitDirectAsync(Seam.Complete, signal) : Backend.SubmitAsync(signal));
        if (!isUnread)
            await Backend.ProcessAsync(10, Seam.Complete, Token);

        Assert.Equal(0, await Backend.PurgeAsync(FromHours(1), Token));
        Assert.Equal(InstanceStatus.Completed, await StatusOf(instance.Id));
        await HoldsAsync(instance, version: 2, isUnread ? Written : Stored);
    }

    [Fact]
    public async Task Started_instance_is_known_as_the_database_has_it()
    {
        await KnownAsync(Backend);
        var instance = Seam.Instance();
        var asking = Stopwatch.StartNew();
        await Backend.SubmitAsync(Seam.Start(instance));
        asking.Stop();
        var stored = await RecordOf(instance.Id);
        ClaimedBatch? claimed = null;

        var before = await TimeAsync();
        await Backend.SubmitDirectAsync(Seam.CountAfter(batch => claimed = batch), Seam.Publish(instance.Id));
        var after = await TimeAsync();

        Assert.Equal(stored.CreatedAt, claimed!.Instances[0].Instance.CreatedAt);
        Assert.InRange(claimed.Now, before, after + asking.Elapsed);
        Assert.Equal(Due.AtTime(claimed.Now), claimed.Instances[0].Signals[0].Due);
        Assert.Equal(1, await VersionOf(instance.Id));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("read")]
    public async Task Wait_for_a_business_key_does_not_put_the_clock_forward(string? dedupKey)
    {
        var asking = Stopwatch.StartNew();
        var (instance, owner) = (await KnownAsync(Backend), await KnownAsync(Backend));
        asking.Stop();
        await using var connection = await OpenAsync();
        await using var holding = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"update {Schema}.instance set business_key = 'key' where id = '{owner.Id}'");
        var submitting = Backend.SubmitDirectAsync(
            Seam.Start(Seam.Instance("key")),
            new SignalSubmission(Seam.Signal(instance.Id), dedupKey: dedupKey)
        );
        await Eventually(() => BlocksSomebodyAsync(connection), "the start waits for the key");
        await ExecuteAsync(connection, "select pg_sleep(2)");
        await holding.CommitAsync(Token);
        await submitting;
        var now = DateTimeOffset.MaxValue;

        await Backend.SubmitDirectAsync(Seam.CountAfter(batch => now = batch.Now), Seam.Publish(instance.Id));

        Assert.InRange(now, DateTimeOffset.MinValue, await TimeAsync() + FromSeconds(1) + asking.Elapsed);
    }

    [Fact]
    public async Task Turn_of_a_worker_of_this_process_leaves_the_instance_known()
    {
        var instance = await KnownAsync(Backend);
        await Connect().SubmitAsync(Seam.Publish(instance.Id));
        await Backend.TakeAsync();
        await TamperAsync(instance, Written);

        await Backend.SubmitDirectAsync(Seam.Publish(instance.Id));

        await HoldsAsync(instance, version: 3, Stored);
    }

    [Fact]
    public async Task Instance_that_another_process_has_changed_is_read_and_nothing_is_written_twice()
    {
        var changed = await KnownAsync(Backend);
        var untouched = await KnownAsync(Backend);
        await Connect().SubmitDirectAsync(Seam.Publish(changed.Id));
        await TamperAsync(changed);
        var started = Seam.Instance("started");
        SignalSubmission[] signals = [Seam.Publish(changed.Id), Seam.Publish(untouched.Id), Seam.Publish(changed.Id)];
        var decided = 0;

        await Backend.SubmitDirectAsync(
            batch =>
            {
                decided++;
                var decisions = Seam.Count(batch);
                foreach (var decision in decisions)
                    decision.Sent = [Seam.Signal(decision.Instance!.Id, "sent", Due.After(FromHours(1)))];
                return decisions;
            },
            [Seam.Start(started), .. signals]
        );

        Assert.Equal(2, decided);
        Assert.All(signals, signal => Assert.True(signal.IsDecided));
        await HoldsAsync(changed, version: 4, Stored);
        await HoldsAsync(untouched, version: 2, Stored);
        Assert.NotNull(await Backend.FindByKeyAsync("started", Token));
        Assert.Equal(2, (await Census()).SignalsLater);
    }

    [Theory]
    [InlineData(SignalKind.External)]
    [InlineData(SignalKind.Timer)]
    public async Task Stored_signal_that_is_due_comes_first(SignalKind kind)
    {
        var instance = await KnownAsync(Backend);
        var timer = Seam.Signal(instance.Id, "stored") with { Kind = kind };
        await Connect().SubmitAsync(Seam.Start(Seam.Instance(), timer));
        var direct = Seam.Publish(instance.Id, "direct");

        await Backend.SubmitDirectAsync(direct);

        Assert.False(direct.IsDecided);
        Assert.Equal(["stored", "direct"], await Backend.TakeAsync());
        await HoldsAsync(instance, version: 3, Stored);
    }

    [Fact]
    public async Task Signals_that_are_not_due_yet_hold_nothing_up_and_are_stored()
    {
        var instance = await KnownAsync(Backend);
        var later = Due.After(FromHours(1));
        await Connect().SubmitAsync(Seam.Publish(instance.Id, "later", later));
        var started = Seam.Instance();

        await Backend.SubmitDirectAsync(
            Seam.Publish(instance.Id),
            Seam.Publish(instance.Id, "later", later),
            Seam.Start(started, Seam.Signal(started.Id, "later", later))
        );

        await HoldsAsync(instance, version: 2, Written);
        Assert.Equal(3, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Instance_that_another_session_holds_is_not_waited_for()
    {
        var instance = await KnownAsync(Backend);
        await using var connection = await OpenAsync();
        await using var holding = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"select from {Schema}.instance where id = '{instance.Id}' for update");
        var direct = Seam.Publish(instance.Id, "direct");

        await Backend.SubmitDirectAsync(direct);
        await holding.CommitAsync(Token);

        Assert.False(direct.IsDecided);
        Assert.Equal(["direct"], await Backend.TakeAsync());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Turn_that_changes_the_instance_between_the_snapshot_and_the_lock_comes_first(bool sends)
    {
        await using var gate = await RowGate.OnAsync(Options, Token);
        var instance = await KnownAtAsync(gate);
        var direct = Seam.Publish(instance.Id, "direct");

        // The statement that updates has its snapshot, and has not reached the row.
        var submitting = await SubmitAtAsync(gate, direct);
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "first"));
        await Backend.ProcessAsync(
            10,
            batch =>
            {
                var decisions = Seam.Count(batch);
                if (sends)
                    decisions[0].Sent = [Seam.Signal(instance.Id, "sent")];
                return decisions;
            },
            Token
        );
        await gate.OpenAsync(Token);
        await submitting;

        Assert.Equal(!sends, direct.IsDecided);
        Assert.Equal(sends ? ["sent", "direct"] : [], await Backend.TakeAsync());
        await HoldsAsync(instance, version: sends ? 4 : 3, Stored);
    }

    [Fact]
    public async Task Signal_that_is_acknowledged_between_the_snapshot_and_the_lock_may_come_second()
    {
        await using var gate = await RowGate.OnAsync(Options, Token);
        var instance = await KnownAtAsync(gate);
        var direct = Seam.Publish(instance.Id, "direct");

        var submitting = await SubmitAtAsync(gate, direct);
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "concurrent"));
        await gate.OpenAsync(Token);
        await submitting;

        Assert.True(direct.IsDecided);
        Assert.Equal(["concurrent"], await Backend.TakeAsync());
        Assert.Equal(3, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Instance_that_closes_between_the_snapshot_and_the_lock_refuses_the_signal()
    {
        await using var gate = await RowGate.OnAsync(Options, Token);
        var instance = await KnownAtAsync(gate);
        var direct = Seam.Publish(instance.Id, "direct");

        var submitting = await SubmitAtAsync(gate, direct);
        await Backend.SubmitDirectAsync(Seam.Complete, Seam.Publish(instance.Id));
        await gate.OpenAsync(Token);
        await submitting;

        Assert.Equal((PublishOutcome.InstanceClosed, false), (direct.Outcome, direct.IsDecided));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Signals_that_need_to_know_more_than_the_instance_are_decided_after_reading()
    {
        var keyed = await KnownAsync(Backend, "key");
        await Backend.SubmitDirectAsync(new SignalSubmission(Seam.Signal(keyed.Id) with { InstanceId = Guid.Empty }, businessKey: "key"));
        await HoldsAsync(keyed, version: 2, Stored);
        var once = await KnownAsync(Backend);
        SignalSubmission Once() => new(Seam.Signal(once.Id), dedupKey: "once");

        SignalSubmission[] repeats = [Once(), Once()];
        await Backend.SubmitDirectAsync(repeats);

        Assert.Equal([PublishOutcome.Accepted, PublishOutcome.Duplicate], repeats.Select(repeat => repeat.Outcome));
        await HoldsAsync(once, version: 2, Stored);
    }

    [Fact]
    public async Task Signal_that_the_host_leaves_undecided_is_stored()
    {
        var instance = await KnownAsync(Backend);
        var left = Seam.Publish(instance.Id, "left");

        await Backend.SubmitDirectAsync(_ => [new Decision()], left);

        Assert.Equal((PublishOutcome.Accepted, false), (left.Outcome, left.IsDecided));
        Assert.Equal(["left"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Decisions_that_fail_leave_nothing_of_their_batch()
    {
        var instance = await KnownAsync(Backend);

        await Assert.ThrowsAsync<InvalidTimeZoneException>(() =>
            Backend.SubmitDirectAsync(
                _ => throw new InvalidTimeZoneException("Died deciding."),
                Seam.Start(Seam.Instance("key")),
                Seam.Publish(instance.Id)
            )
        );

        Assert.Null(await Backend.FindByKeyAsync("key", Token));
        await HoldsAsync(instance, version: 1, Stored);
    }

    [Fact]
    public async Task Purged_instance_refuses_the_signal()
    {
        var instance = await KnownAsync(Backend);
        await ExecuteAsync($"delete from {Schema}.instance where id = '{instance.Id}'");
        var direct = Seam.Publish(instance.Id);

        await Backend.SubmitDirectAsync(direct);

        Assert.Equal((PublishOutcome.UnknownInstance, false), (direct.Outcome, direct.IsDecided));
    }

    [Fact]
    public async Task What_was_known_is_forgotten_when_the_server_ends_its_sessions()
    {
        await using var connection = await OpenAsync();
        var user = $"known_{Guid.NewGuid():n}";
        await ExecuteAsync(connection, $"create role {user} superuser login password 'known'");
        var backend = Own(ConnectWith($"Username={user};Password=known"));
        var instance = await KnownAsync(backend);
        await ExecuteAsync(
            connection,
            $"select pg_terminate_backend(pid, 20000) from pg_stat_activity where usename = '{user}'; drop role {user}"
        );
        await BackendFails(() => backend.SubmitDirectAsync(Seam.Publish(Guid.NewGuid())));
        await ExecuteAsync(connection, $"create role {user} superuser login password 'known'");

        await backend.SubmitDirectAsync(Seam.Publish(instance.Id));

        await HoldsAsync(instance, version: 2, Stored);
        await ExecuteAsync(connection, $"drop role {user}");
    }

    [Fact]
    public async Task What_was_known_is_forgotten_when_a_session_meets_another_server()
    {
        // What comes first in the search path is found before the server's own function.
        await using var connection = await OpenAsync();
        await ExecuteAsync(
            connection,
            $"""
            create table {Schema}.server (started_at timestamptz);
            insert into {Schema}.server values (now());
            create function {Schema}.pg_postmaster_start_time() returns timestamptz language sql as
                'select started_at from {Schema}.server'
            """
        );
        var backend = Own(ConnectWith($"Search Path={Schema},pg_catalog"));
        var instance = await KnownAsync(backend);
        await ExecuteAsync(connection, $"update {Schema}.server set started_at = now()");
        var other = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(other, Seam.Signal(other.Id)));

        // The worker has the only session, so the direct write needs a new one.
        await backend.ProcessAsync(new ClaimRequest(10), Seam.CountAfter(_ => backend.SubmitDirectAsync(Seam.Publish(instance.Id))), Token);

        await HoldsAsync(instance, version: 2, Stored);
        Assert.Equal(0, backend.Counts.RefusedBatches);
    }

    /// <summary>As a run's report shows it.</summary>
    [Fact]
    public async Task Batches_that_are_not_read_are_counted_and_so_are_those_that_the_database_refuses()
    {
        var backend = Own(new PostgreSqlWorkflowBackend(Options));
        await using var statistics = new PostgreSqlStatistics(Options);
        statistics.Watch(backend);
        var (changed, untouched) = (await KnownAsync(backend), await KnownAsync(backend));
        await Connect().SubmitDirectAsync(Seam.Publish(changed.Id));

        await backend.SubmitDirectAsync(Seam.Publish(untouched.Id));
        await backend.SubmitDirectAsync(Seam.Publish(changed.Id));

        await CountedAsync();
        await backend.DisposeAsync();
        await CountedAsync();

        async Task CountedAsync()
        {
            var values = (await statistics.TakeSnapshotAsync(SnapshotDepth.Full, Token)).Values;
            Assert.Equal((2, 1), (values["unreadBatches"].Value, values["refusedBatches"].Value));
        }
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(32 << 20, true)]
    public async Task Nothing_is_known_without_room_for_it_or_behind_a_pooler(int bytes, bool pooled)
    {
        var backend = Own(new PostgreSqlWorkflowBackend(Options with { KnownInstanceBytes = bytes, TransactionPooling = pooled }));
        var instance = await KnownAsync(backend);

        await backend.SubmitDirectAsync(Seam.Publish(instance.Id));

        await HoldsAsync(instance, version: 2, Stored);
    }

    [Fact]
    public async Task Children_are_read_so_that_their_parents_can_be_decided_with_them()
    {
        var parent = Seam.Instance(waits: WaitKinds.Child);
        var child = Seam.ChildOf(parent);
        await Backend.SubmitAsync(Seam.Start(parent), Seam.Start(child));
        await Backend.SubmitDirectAsync(Seam.Publish(child.Id));
        await TamperAsync(child);

        await Backend.SubmitDirectAsync(Seam.Publish(child.Id));

        await HoldsAsync(child, version: 2, Stored);
    }

    /// <summary>An instance of version 1 that the backend knows, stored with another state.</summary>
    private async Task<InstanceRecord> KnownAsync(IWorkflowBackend backend, string? businessKey = null)
    {
        var instance = Seam.Instance(businessKey);
        await Backend.SubmitAsync(Seam.Start(instance));
        await backend.SubmitDirectAsync(Seam.Publish(instance.Id));
        await TamperAsync(instance);
        return instance;
    }

    /// <summary>The same, by the backend of an open gate, which is closed afterwards.</summary>
    private async Task<InstanceRecord> KnownAtAsync(RowGate gate)
    {
        await gate.OpenAsync(Token);
        var instance = await KnownAsync(gate.Backend);
        await gate.CloseAsync(Token);
        return instance;
    }

    private async Task TamperAsync(InstanceRecord instance, string state = Stored)
    {
        await ExecuteAsync($"update {Schema}.instance set state = '{state}' where id = '{instance.Id}'");
    }

    private async Task HoldsAsync(InstanceRecord instance, long version, string state)
    {
        var record = await RecordOf(instance.Id);
        Assert.Equal((version, state), (record.Version, Encoding.UTF8.GetString(record.State)));
    }

    private async Task<DateTimeOffset> TimeAsync()
    {
        await using var connection = await OpenAsync();
        return new DateTimeOffset(await ScalarAsync<DateTime>(connection, "select clock_timestamp()"));
    }
}

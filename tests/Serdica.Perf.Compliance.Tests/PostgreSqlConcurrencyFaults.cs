extern alias PostgreSql;

using PostgreSqlHints = PostgreSql::Serdica.Perf.Workflows.PostgreSql.PostgreSqlHints;

namespace Serdica.Perf.Compliance;

/// <summary>What two sessions do to each other, one of them held by the test.</summary>
public sealed class PostgreSqlConcurrencyFaults(PostgreSqlFixture fixture) : PostgreSqlSchemaFaults(fixture)
{
    [Theory]
    [InlineData("signal (instance_id, id, due_at, attempt, kind, name, payload) values ('{0}', '{1}', now(), 0, 0, 'go', '')")]
    [InlineData(
        "signal_key (instance_id, dedup_key) values ('{0}', 'key'); insert into {2}.signal (instance_id, id, due_at, attempt, kind, "
            + "name, payload) values ('{0}', '{1}', now(), 0, 0, 'go', '')"
    )]
    [InlineData("signal (instance_id, id, due_at, attempt, kind, name, payload) values ('{0}', '{1}', now(), 0, 4, 'child', '')")]
    [InlineData(
        "dead_letter (instance_id, signal_id, dead_at, attempt, kind, reason, name, detail, payload) "
            + "values ('{0}', '{1}', now(), 0, 0, 0, 'go', '', ''); delete from {2}.signal where id = '{1}'"
    )]
    public async Task Signal_that_is_committed_after_its_instance_was_purged_is_no_orphan(string written)
    {
        // The closed one is the last of its page.
        var (open, closed) = (Seam.Instance(), Seam.Closed());
        await Backend.SubmitAsync(Seam.Start(closed), Seam.Start(open));
        await using var connection = await OpenAsync();

        // What a publisher, a parent's child or a requeue has written by now; it saw the instance.
        await using var writing = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"insert into {Schema}." + string.Format(null, written, closed.Id, Guid.CreateVersion7(), Schema));
        await using var patient = new PostgreSqlWorkflowBackend(Options with { ClaimTimeout = FromMinutes(2) });
        var purging = patient.PurgeAsync(TimeSpan.Zero, Token);
        await Eventually(async () => await Backend.FindAsync(closed.Id, Token) is null, "the instance is gone");
        await writing.CommitAsync(Token);

        Assert.Equal(1, await purging);
        Assert.Equal(0L, await CountAsync("signal"));
        Assert.Equal(0L, await CountAsync("signal_key"));
        Assert.Equal(0L, await CountAsync("dead_letter"));
    }

    /// <summary>
    /// The claim that waits has its snapshot, in which the first signal lies where it was before it was put back. The one that waits at the
    /// other instance has passed over the first signal, and finds its instance free again when it comes to the second.
    /// </summary>
    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task Signal_that_another_claim_puts_back_is_not_overtaken(bool isPassedOver, bool isBehindLateOne)
    {
        var (instance, other) = (Seam.Instance(), Seam.Instance());
        await using var gate = await RowGate.OnAsync(Options, Token, at: isPassedOver ? other.Id : null);
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Start(other), Seam.Publish(instance.Id, "first"));
        var (isClaimed, isStored) = (new TaskCompletionSource(), new TaskCompletionSource());
        var puttingBack = Backend.ProcessAsync(
            new ClaimRequest(10),
            async batch =>
            {
                isClaimed.SetResult();
                await isStored.Task;
                return [new Decision { Sent = [.. batch.Instances[0].Signals] }];
            },
            Token
        );
        await isClaimed.Task;
        await Connect().SubmitAsync(Seam.Publish(other.Id, "other"), Seam.Publish(instance.Id, "second"));
        if (isBehindLateOne)
            await Connect().SubmitAsync(Seam.Publish(instance.Id, "late", Due.AtTime(DateTimeOffset.UtcNow - FromMinutes(1))));
        var taking = gate.Backend.TakeAsync();
        await Eventually(() => gate.IsWaitedForAsync(Token), "the second claim waits at the gate");
        isStored.SetResult();
        await puttingBack;
        await gate.OpenAsync(Token);

        Assert.Empty(await taking);
        string[] late = isBehindLateOne ? ["late"] : [];
        Assert.Equal([.. late, "first", "second", "other"], await Backend.TakeAsync());
    }

    /// <summary>It is older than the signal that is left when another claim has taken the one before.</summary>
    [Fact]
    public async Task Activity_that_is_left_alone_does_not_undo_a_claim()
    {
        var (instance, request) = (Seam.Instance(), new ClaimRequest(10) { SkipActivities = true });
        await using var gate = await RowGate.OnAsync(Options, Token);
        await Backend.SubmitAsync(Seam.Start(instance, Seam.Lease(instance.Id, 1, TimeSpan.Zero)), Seam.Publish(instance.Id));
        using var turn = new HeldTurns();
        var handling = Backend.ProcessAsync(request, turn.DecideAsync, Token);
        await turn.Begun.WaitAsync(Token);
        await Connect().SubmitAsync(Seam.Publish(instance.Id));
        var taking = gate.Backend.ProcessAsync(request, Seam.Count, Token);
        await Eventually(() => gate.IsWaitedForAsync(Token), "the second claim waits at the gate");
        turn.MayGoOn.SetResult();
        await handling;
        await gate.OpenAsync(Token);

        Assert.Equal(1, (await taking).Signals);
    }

    [Fact]
    public async Task Leases_are_withdrawn_by_key_and_not_in_the_order_of_their_decisions()
    {
        InstanceRecord[] instances = [Seam.Instance(), Seam.Instance()];
        var leases = Array.ConvertAll(instances, instance => Seam.Lease(instance.Id, token: 1, FromMinutes(1)));
        await Backend.SubmitAsync([.. instances.Zip(leases, (instance, lease) => Seam.Start(instance, lease))]);
        await Backend.SubmitAsync([.. instances.Select(instance => Seam.Publish(instance.Id))]);
        await using var connection = await OpenAsync();
        await using var extending = await connection.BeginTransactionAsync(Token);
        Assert.True(await LockAsync(connection, leases[0]));

        var withdrawing = Backend.ProcessAsync(
            100,
            batch => [.. batch.Instances.OrderByDescending(claimed => claimed.Instance.Id).Select(Withdraw)],
            Token
        );
        await Eventually(() => BlocksSomebodyAsync(connection), "the withdrawal waits for the first lease");

        // An extension goes on to the second one; if the withdrawal held it, the two would wait for each other.
        Assert.True(await LockAsync(connection, leases[1]));
        await extending.RollbackAsync(Token);
        Assert.Equal(2, (await withdrawing).Signals);

        Decision Withdraw(ClaimedInstance claimed)
        {
            var decision = Seam.Count(claimed);
            decision.Withdrawn = [leases.Single(lease => lease.InstanceId == claimed.Instance.Id).Id];
            return decision;
        }
    }

    [Fact]
    public async Task Purge_waits_for_those_alone_who_wrote_when_its_page_was_gone()
    {
        await Backend.SubmitAsync(Seam.Start(Seam.Closed()));
        await using var patient = new PostgreSqlWorkflowBackend(Options with { ClaimTimeout = FromHours(1) });
        await using var earlier = await OpenAsync();
        await using var writing = await earlier.BeginTransactionAsync(Token);
        await ExecuteAsync(earlier, $"lock table {Schema}.signal in row exclusive mode");
        var purging = patient.PurgeAsync(TimeSpan.Zero, Token);
        await using var later = await OpenAsync();
        var looked =
            $"select exists (select from pg_stat_activity where state = 'idle' and query like '%virtualtransaction%{Schema}.signal%')";
        await Eventually(() => ScalarAsync<bool>(later, looked), "the purge knows the writers");
        await using var writingLater = await later.BeginTransactionAsync(Token);
        await ExecuteAsync(later, $"lock table {Schema}.signal in row exclusive mode");
        Assert.False(purging.IsCompleted);

        await writing.CommitAsync(Token);

        Assert.Equal(1, await purging.InTime());
    }

    [Fact]
    public async Task Purge_does_not_wait_for_ever_and_the_next_one_deletes_what_was_left()
    {
        var closed = Seam.Closed();
        var other = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(closed), Seam.Start(other));
        await using var impatient = new PostgreSqlWorkflowBackend(Options with { ClaimTimeout = FromSeconds(1) });
        await using var connection = await OpenAsync();
        await using var writing = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(
            connection,
            $"insert into {Schema}.signal (instance_id, id, due_at, attempt, kind, name, payload) values ('{closed.Id}', "
                + $"'{Guid.CreateVersion7()}', now(), 0, 0, 'go', '')"
        );

        Assert.Equal(1, await impatient.PurgeAsync(TimeSpan.Zero, Token));
        await writing.CommitAsync(Token);
        Assert.Equal(1L, await CountAsync("signal"));
        await impatient.PurgeAsync(TimeSpan.Zero, Token);

        Assert.Equal(0L, await CountAsync("signal"));
    }

    [Theory]
    [InlineData(InstanceStatus.Waiting, 0)]
    [InlineData(InstanceStatus.Completed, 1_500)]
    public async Task Purge_looks_once_at_each_instance(InstanceStatus status, int purged)
    {
        await ExecuteAsync(
            $"""
            insert into {Schema}.instance
                (id, created_at, definition_version, definition, version, updated_at, status, waits, step, state)
            select gen_random_uuid(), now(), 1, 'by-hand', 0, now(), {(int)status}, 1, 'only', '' from generate_series(1, 1500);
            create table {Schema}.page (number serial)
            """
        );
        await TriggerAsync($"after delete on {Schema}.instance for each statement", $"insert into {Schema}.page default values");

        Assert.Equal(purged, await Backend.PurgeAsync(TimeSpan.Zero, Token));

        // The last page is empty.
        Assert.Equal(3L, await CountAsync("page"));
    }

    [Fact]
    public async Task Continuation_stays_as_long_as_a_predecessor_on_an_earlier_page()
    {
        await ExecuteAsync(
            $$"""
            insert into {{Schema}}.instance
                (id, created_at, definition_version, definition, version, updated_at, status, waits, step, state, progress)
            select md5(n::text)::uuid, now(), 1, 'by-hand', 0, now(), 1, 1, 'only', bytea '', null::bytea from generate_series(1, 1500) as n
            union all
            values
                (uuid '00000000-0000-0000-0000-000000000001', now(), 1, 'by-hand', 0, now(), 2, 0, 'only', bytea '', bytea '{}'),
                (uuid 'ffffffff-0000-0000-0000-000000000001', now(), 1, 'by-hand', 0, now(), 2, 0, 'only', '',
                    bytea '{"continuedFrom":"00000000-0000-0000-0000-000000000001"}');
            insert into {{Schema}}.signal (instance_id, id, due_at, attempt, kind, name, payload)
            values ('00000000-0000-0000-0000-000000000001', gen_random_uuid(), now() + interval '1 hour', 0, 0, 'forwarded', '')
            """
        );

        Assert.Equal(0, await Backend.PurgeAsync(TimeSpan.Zero, Token));
    }

    [Fact]
    public async Task Age_of_a_closed_instance_counts_from_its_close()
    {
        await Backend.SubmitAsync(Seam.Start(Seam.Instance(status: InstanceStatus.Completed)));
        await ExecuteAsync($"update {Schema}.instance set created_at = now() - interval '1 day'");

        Assert.Equal(0, await Backend.PurgeAsync(FromHours(1), Token));
    }

    [Fact]
    public async Task Closed_child_does_not_stay_because_its_parent_closed_later()
    {
        var parent = Seam.Closed();
        await Backend.SubmitAsync(Seam.Start(parent), Seam.Start(Seam.ChildOf(parent, WaitKinds.None, InstanceStatus.Completed)));
        await ExecuteAsync($"update {Schema}.instance set updated_at = now() - interval '1 day' where parent_id is not null");

        Assert.Equal(1, await Backend.PurgeAsync(FromHours(1), Token));
    }

    [Fact]
    public async Task Message_that_somebody_else_is_taking_is_passed_over()
    {
        Message[] sent = [.. Range(0, 3).Select(_ => new Message { Id = Guid.CreateVersion7(), Payload = [] })];
        var queue = (IMessageQueue)Backend;
        await queue.SendAsync(sent, Token);
        await using var connection = await OpenAsync();
        await using var taking = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"delete from {Schema}.message where id = '{sent[0].Id}'");

        // Without that it would wait for the transaction, which only ends after it.
        var received = new List<Guid>();
        await queue.ReceiveAsync(10, batch => received.AddRange(batch.Messages.Select(message => message.Id)), Token);
        await taking.RollbackAsync(Token);

        Assert.Equal(sent.Skip(1).Select(message => message.Id), received);
    }

    [Fact]
    public async Task Outcomes_that_cannot_be_read_after_the_commit_concern_only_those_who_were_passed_over()
    {
        var owner = Seam.Instance("key");
        var closed = Seam.Closed();
        await Backend.SubmitAsync(Seam.Start(owner), Seam.Start(closed));
        var keyed = Seam.Start(Seam.Instance("key"));
        var fresh = Seam.Start(Seam.Instance());
        var refused = Seam.Publish(closed.Id);
        var accepted = Seam.Publish(owner.Id);
        await using var connection = await OpenAsync();

        // The commit itself takes the right to read away: only what follows it fails.
        await ExecuteAsync(
            connection,
            $"""
            create function {Schema}.shut() returns trigger language plpgsql as $$ begin
                alter table {Schema}.instance rename to instance_away;
                return null;
            end $$;
            create constraint trigger shut after insert on {Schema}.signal deferrable initially deferred
                for each row execute function {Schema}.shut()
            """
        );

        await Backend.SubmitAsync(keyed, fresh, refused, accepted);
        await ExecuteAsync(connection, $"alter table {Schema}.instance_away rename to instance; drop trigger shut on {Schema}.signal");

        Assert.NotNull(keyed.Failure);
        Assert.NotNull(refused.Failure);
        Assert.Null(fresh.Failure);
        Assert.Null(accepted.Failure);
        Assert.NotNull(await Backend.FindAsync(fresh.Decision.Instance!.Id, Token));
        Assert.Equal(1L, await CountAsync("signal"));
    }

    [Fact]
    public async Task Every_transaction_reads_what_is_committed_whatever_the_database_has_as_its_default()
    {
        await using var connection = await OpenAsync();
        var role = $"strict_{Guid.NewGuid():n}";
        await ExecuteAsync(
            connection,
            $"""
            create table {Schema}.level (name text);
            create function {Schema}.note() returns trigger language plpgsql as $$ begin
                insert into {Schema}.level values (current_setting('transaction_isolation'));
                return null;
            end $$;
            create trigger note after insert or update or delete on {Schema}.instance for each statement execute function {Schema}.note();
            create trigger note after insert or update or delete on {Schema}.signal for each statement execute function {Schema}.note();
            create role {role} superuser login password 'strict';
            alter role {role} set default_transaction_isolation = 'serializable'
            """
        );
        try
        {
            await using var strict = ConnectWith($"Username={role};Password=strict");
            var instance = Seam.Instance();
            var lease = Seam.Lease(instance.Id, token: 1, FromMinutes(1));
            await strict.SubmitAsync(Seam.Start(instance, lease), Seam.Publish(instance.Id));
            await strict.TakeAsync();
            await strict.ExtendLeasesAsync([new ActivityLease(instance.Id, lease.Id, 1)], FromMinutes(1), Token);
            await strict.PurgeAsync(TimeSpan.Zero, Token);
        }
        finally
        {
            await ExecuteAsync(connection, $"drop role {role}");
        }

        Assert.Equal("read committed", await ScalarAsync<string>(connection, $"select distinct name from {Schema}.level"));
        Assert.True(await CountAsync("level") >= 6);
    }

    /// <summary>A pooler in transaction mode gives each transaction another session, whose settings are not the engine's.</summary>
    [Fact]
    public async Task Pooled_claim_brings_its_own_settings()
    {
        await using var connection = await OpenAsync();
        await ExecuteAsync(connection, $"create table {Schema}.setting (text text)");
        await TriggerAsync(
            $"after update on {Schema}.instance for each statement",
            $"""
            insert into {Schema}.setting select string_agg(current_setting(name), ' ' order by place)
            from unnest(array['transaction_isolation', 'statement_timeout', 'lock_timeout',
                'idle_in_transaction_session_timeout', 'idle_session_timeout', 'enable_hashjoin', 'enable_mergejoin',
                'enable_seqscan', 'enable_bitmapscan', 'jit', 'plan_cache_mode']) with ordinality as n (name, place)
            """
        );
        await using var pooled = new PostgreSqlWorkflowBackend(
            Options with
            {
                ConnectionString = $"{Options.ConnectionString};Options=-c default_transaction_isolation=serializable",
                TransactionPooling = true,
                ClaimTimeout = FromSeconds(50),
                SubmitTimeout = FromSeconds(30),
            }
        );
        await Backend.StartAsync("go");
        Assert.Equal(["go"], await pooled.TakeAsync());

        Assert.Equal(
            "read committed 50s 24s 50s 0 off off off off off force_generic_plan",
            await ScalarAsync<string>(connection, $"select text from {Schema}.setting")
        );
    }

    [Fact]
    public async Task Sessions_stay_whatever_limit_the_database_has_for_idle_ones()
    {
        await using var role = await ShortIdleRole.CreateAsync(Options.ConnectionString, Token);
        await using var backend = new PostgreSqlWorkflowBackend(Options with { ConnectionString = role.ConnectionString });
        await backend.SubmitAsync(Seam.Start(Seam.Instance()));

        await role.WaitAsync(Token);

        await backend.SubmitAsync(Seam.Start(Seam.Instance()));
    }

    [Fact]
    public async Task Signals_whose_first_one_was_taken_meanwhile_come_with_the_state_of_their_instance()
    {
        var instance = Seam.Instance();
        var first = Seam.Publish(instance.Id, "first");
        await Backend.SubmitAsync(Seam.Start(instance), first);
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "second"));
        await using var connection = await OpenAsync();
        await using var taking = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"delete from {Schema}.signal where id = '{first.Signal.Id}'");

        // The claim waits for the row that is being deleted; the state was to come with it.
        ClaimedInstance? claimed = null;
        var claiming = Backend.ProcessAsync(100, Seam.CountAfter(batch => claimed = batch.Instances.Single()), Token);
        await Eventually(() => BlocksSomebodyAsync(connection), "the claim waits");
        await taking.CommitAsync(Token);

        Assert.Equal(1, (await claiming).Signals);
        Assert.Equal("second", Assert.Single(claimed!.Signals).Name);
        Assert.Equal(instance.State, claimed.Instance.State);
    }

    [Fact]
    public async Task Late_signals_beside_light_traffic_are_claimed_one_batch_after_the_other()
    {
        const int Batch = 100;
        var instance = Seam.Instance();
        var behind = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Start(behind), Seam.Publish(instance.Id));
        await Backend.TakeAsync();
        await ExecuteAsync(
            $"""
            insert into {Schema}.signal (instance_id, id, due_at, attempt, kind, name, payload)
            select '{behind.Id}', gen_random_uuid(), clock_timestamp() - interval '1 hour' + g * interval '1 second', 0, 0, 'late', ''
            from generate_series(1, 2000) g
            """
        );

        // The full poll comes within a second. From there on each claim must find a batch: no poll in between finds less.
        var late = 0;
        await Eventually(
            async () =>
            {
                await Backend.SubmitAsync(Seam.Publish(instance.Id));
                late += (await Backend.TakeAsync(Batch)).Count(name => name == "late");
                return late > 0;
            },
            "the late signals are found"
        );
        for (var claims = 0; claims < 19; claims++)
            late += (await Backend.TakeAsync(Batch)).Count(name => name == "late");

        Assert.Equal(2_000, late);
    }

    [Fact]
    public async Task Schema_with_another_text_of_a_migration_is_refused()
    {
        await ExecuteAsync($"update {Schema}.schema_version set checksum = 'another' where version = 1");

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => Backend.InitializeAsync(Token));

        Assert.Contains("migration-001", error.Message);
        Assert.Contains("another", error.Message);
    }

    [Fact]
    public async Task Schema_of_a_newer_build_is_refused()
    {
        await ExecuteAsync($"insert into {Schema}.schema_version values (99, now(), null)");

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => Backend.InitializeAsync(Token));

        Assert.Contains("it was made by a newer build", error.Message);
    }

    [Fact]
    public async Task Hint_that_comes_while_nobody_waits_ends_the_next_wait()
    {
        var received = new SemaphoreSlim(0);
        await using var source = NpgsqlDataSource.Create(Options.ConnectionString);
        await using var hints = new PostgreSqlHints(
            source.OpenConnectionAsync,
            PostgreSqlHints.Listening(Options.ConnectionString, FromSeconds(30)),
            $"{Schema}_test",
            beginListeningAsync: (connection, _) =>
            {
                connection.Notification += (_, _) => received.Release();
                return Task.CompletedTask;
            }
        );
        await hints.WaitAsync(HangGuard.Limit, Token);

        // The first one has been handled when the second is received.
        for (var hint = 0; hint < 2; hint++)
        {
            await hints.NotifyAsync("", Token);
            await received.WaitAsync(Token);
        }

        var waiting = hints.WaitAsync(2 * HangGuard.Limit, Token);
        await waiting.InTime();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Late_work_is_heard_by_a_process_that_hears_no_hints(bool isSignal)
    {
        var elected = Connect();
        await using var first = new Waiter(elected);
        await Eventually(() => elected.IsFirst == true, "the first is elected");
        var ignorant = Connect();
        await using var second = new Waiter(ignorant);
        await Eventually(() => second.Heard == 1, "the second listens");

        await Eventually(
            async () =>
            {
                if (isSignal)
                    await Backend.StartAsync("late");
                else
                    await ((IMessageQueue)Backend).SendAsync([new Message { Id = Guid.CreateVersion7() }], Token);
                return second.Heard > 2;
            },
            "late work is heard again and again"
        );
        Assert.False(ignorant.IsFirst);
    }

    /// <summary>A paused process, for example, holds it, and would be the one that hears of it.</summary>
    [Fact]
    public async Task Work_is_heard_as_late_after_the_longest_time_for_which_a_claim_can_hold_it()
    {
        var elected = Connect();
        await using var first = new Waiter(elected);
        await Eventually(() => elected.IsFirst == true, "the first is elected");
        await using var patient = new PostgreSqlWorkflowBackend(Options with { ClaimTimeout = FromMinutes(1) });
        await using var second = new Waiter(patient);
        var instance = Seam.Instance();
        await Backend.SubmitAsync(Seam.Start(instance));

        await Eventually(
            async () =>
            {
                await Backend.SubmitAsync(Seam.Publish(instance.Id, "held", Due.AtTime(DateTimeOffset.UtcNow - FromMinutes(1))));
                return second.Heard > 2;
            },
            "work that was held for a minute is heard again and again"
        );
    }

    [Fact]
    public async Task Schema_of_the_first_version_is_upgraded()
    {
        await using var connection = await OpenAsync();
        await ExecuteAsync(
            connection,
            $"""
            drop index {Schema}.dead_letter_instance;
            delete from {Schema}.schema_version where version > 1;
            alter table {Schema}.schema_version drop column checksum
            """
        );
        await using var reading = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"lock table {Schema}.dead_letter in access share mode");

        // It waits for those who read, and for longer than the driver would.
        await using var backend = ConnectWith("Command Timeout=5");
        var upgrading = backend.InitializeAsync(Token);
        await Eventually(() => BlocksSomebodyAsync(connection), "the upgrade waits");
        await ExecuteAsync(connection, "select pg_sleep(6)");
        await reading.CommitAsync(Token);
        await upgrading;

        Assert.True(await ScalarAsync<bool>(connection, $"select to_regclass('{Schema}.dead_letter_instance') is not null"));
        Assert.InRange(await CountAsync("schema_version where length(checksum) = 64"), 2, 100);
    }

    /// <returns>False when somebody else holds it.</returns>
    private async Task<bool> LockAsync(NpgsqlConnection connection, Signal signal) =>
        await ScalarAsync<object?>(connection, $"select true from {Schema}.signal where id = '{signal.Id}' for update skip locked") is true;

    private async Task<long> CountAsync(string table)
    {
        await using var connection = await OpenAsync();
        return await ScalarAsync<long>(connection, $"select count(*) from {Schema}.{table}");
    }
}

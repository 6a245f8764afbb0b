using System.Transactions;

namespace Serdica.Perf.Compliance;

/// <summary>Moments that only somebody with a connection of their own to the server can bring about.</summary>
public sealed class PostgreSqlFaults(PostgreSqlFixture fixture) : PostgreSqlSchemaFaults(fixture)
{
    [Fact]
    public async Task Withdrawal_that_waited_for_an_open_extension_removes_the_lease()
    {
        var instance = Seam.Instance(waits: WaitKinds.Activity, status: InstanceStatus.Running);
        var lease = Seam.Lease(instance.Id, token: 1, FromMinutes(1));
        await Backend.SubmitAsync(Seam.Start(instance, lease), Seam.Publish(instance.Id, "report"));
        await using var connection = await OpenAsync();
        await using var extension = await connection.BeginTransactionAsync(Token);
        Assert.Equal(
            1,
            await ExecuteAsync(connection, $"update {Schema}.signal set due_at = due_at + interval '1 minute' where id = '{lease.Id}'")
        );

        var processing = Backend.ProcessAsync(10, batch => [Withdrawing(batch.Instances[0], lease.Id)], Token);
        await Eventually(() => BlocksSomebodyAsync(connection), "the withdrawal waits for the extension");
        await extension.CommitAsync(Token);

        Assert.Equal(new ProcessOutcome(1), await processing);
        Assert.Equal(0, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Connection_that_the_server_ends_during_a_decision_leaves_the_signals_as_they_were()
    {
        var instance = await Backend.StartAsync("go");

        var error = await BackendFails(() => Backend.ProcessAsync(10, Seam.CountAfter(_ => EndClaimingConnection()), Token));

        Assert.True(error.IsTransient, error.Message);
        Assert.Equal(0, await VersionOf(instance.Id));
        Assert.Equal(["go"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Prepared_statement_that_failed_when_it_was_first_bound_fails_once_more_as_an_error_of_the_driver()
    {
        await using var connection = new NpgsqlConnection($"{Options.ConnectionString};Max Auto Prepare=1;Auto Prepare Min Usages=1");
        await connection.OpenAsync(Token);
        Assert.IsType<PostgresException>(await DivideAsync(by: 0));

        var error = await DivideAsync(by: 5);

        Assert.True(error is not (null or NpgsqlException) && PostgreSqlErrors.IsDriverError(error), $"{error}");
        Assert.Equal(System.Data.ConnectionState.Closed, connection.State);

        ValueTask<Exception?> DivideAsync(int by) =>
            Record.ExceptionAsync(async () =>
            {
                await using var command = new NpgsqlCommand("select 10 / $1", connection) { Parameters = { new() { Value = by } } };
                await command.ExecuteNonQueryAsync(Token);
            });
    }

    [Fact]
    public async Task Host_goes_on_after_the_server_has_ended_its_connection()
    {
        var host = await HostAsync(new ClaimEndsOnce(Connect(), EndClaimingConnection), Quick with { Workers = 1 }, Definitions.Appending);
        var started = await host.Client.StartAsync(Definitions.Appending);

        for (var i = 0; i < 10; i++)
            await host.Client.SendAsync(started.Id, "append", i);
        await host.Client.SendAsync(started.Id, "append", Definitions.Last);

        Assert.Equal(11, (await CloseOf(host.Client, started.Id)).Version);
        Assert.Equal(Range(0, 10), await EntriesOf(host.Client, started.Id));
        await Eventually(() => Task.FromResult(host.Counters.BackendFailures == 1), "the worker whose connection ended has seen it");
        await Quiescence();
    }

    [Fact]
    public async Task Instance_that_a_trigger_refuses_is_kept_from_the_others_named_and_given_up()
    {
        var client = Client(Definitions.Appending);
        var ids = new List<Guid>();
        for (var i = 0; i < 60; i++)
            ids.Add((await client.StartAsync(Definitions.Appending)).Id);
        foreach (var id in ids)
            await client.SendAsync(id, "append", Definitions.Last);
        var culprit = ids[20];
        await TriggerAsync($"before update on {Schema}.instance for each row when (new.id = '{culprit}')", "raise 'no more of this'");
        var log = new LogList<WorkflowHost>();

        var host = new WorkflowHost(Connect(), new([Definitions.Appending]), Quick, log);
        await using (host)
        {
            await host.StartAsync(Token);
            foreach (var id in ids.Where(id => id != culprit))
                await Completes(client, id);
            await Eventually(async () => (await DeadLetters()).Count == 1, "the culprit's signal is given up");
        }

        var letter = Assert.Single(await DeadLetters());
        Assert.Equal((culprit, DeadLetterReason.Refused), (letter.Signal.InstanceId, letter.Reason));
        Assert.Contains("no more of this", letter.Detail);
        Assert.Equal(InstanceStatus.Waiting, await StatusOf(culprit));
        Assert.Contains(log.Lines, line => line.Contains($"Instance {culprit} makes its claim fail"));
    }

    /// <param name="isDirect">Its turn is that of an activity's report, which is decided before it is stored.</param>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Instance_whose_write_takes_longer_than_a_commit_may_is_kept_from_the_others_and_not_given_up(bool isDirect)
    {
        var finish = new TaskCompletionSource();
        var working = Workflow
            .Define<Ledger>("working")
            .Activity("work", (_, context) => finish.Task.WaitAsync(context.CancellationToken))
            .Build();
        var client = Client(Definitions.Appending, working);
        var ids = (await StartAsync(client, Definitions.Appending, 10)).Select(static started => started.Id).ToList();
        await using var backend = new PostgreSqlWorkflowBackend(
            Options with { ClaimTimeout = FromSeconds(1), SubmitTimeout = FromSeconds(1) }
        );
        var options = Quick with { Workers = 1 };
        await using var host = new WorkflowHost(backend, new([Definitions.Appending, working]), options);
        if (isDirect)
            await host.StartAsync(Token);
        var culprit = (await (isDirect ? host.Client.StartAsync(working) : client.StartAsync(Definitions.Appending))).Id;
        await TriggerAsync($"before update on {Schema}.instance for each row when (new.id = '{culprit}')", "perform pg_sleep(5)");

        finish.SetResult();
        if (isDirect)
            await Eventually(async () => (await Census()).SignalsDue == 1, "the report is stored");
        else
            await client.SendAsync(culprit, "append", Definitions.Last);
        foreach (var id in ids)
            await (isDirect ? host.Client : client).SendAsync(id, "append", Definitions.Last);
        if (!isDirect)
            await host.StartAsync(Token);
        foreach (var id in ids)
            await Completes(client, id);
        await ExecuteAsync($"drop trigger run on {Schema}.instance");

        await Completes(client, culprit);
        Assert.Empty(await DeadLetters());
    }

    [Fact]
    public async Task Start_whose_key_was_purged_before_its_owner_was_read_is_written_again()
    {
        var owner = Seam.Instance("key", WaitKinds.None, InstanceStatus.Completed);
        await Backend.SubmitAsync(Seam.Start(owner));

        // The moment between the two statements: the insert that passes over the taken key is followed by a purge.
        await TriggerAsync($"after insert on {Schema}.instance for each statement", $"delete from {Schema}.instance where status = 2");
        var start = Seam.Start(Seam.Instance("key"));
        var neighbour = Seam.Start(Seam.Instance("other"));

        await Backend.SubmitAsync([start, neighbour], Token);

        Assert.Null(start.Existing);
        Assert.Null(await Backend.FindAsync(owner.Id, Token));
        Assert.Equal(start.Decision.Instance!.Id, (await Backend.FindByKeyAsync("key", Token))!.Id);
        Assert.Equal(neighbour.Decision.Instance!.Id, (await Backend.FindByKeyAsync("other", Token))!.Id);
    }

    [Fact]
    public async Task Signal_whose_instance_appears_after_it_was_refused_was_for_nobody()
    {
        await Backend.SubmitAsync(Seam.Start(Seam.Instance()));
        var signal = Seam.Publish(Guid.CreateVersion7());
        await TriggerAsync(
            $"after insert on {Schema}.signal for each statement",
            $"update {Schema}.instance set id = '{signal.Signal.InstanceId}'"
        );

        await Backend.SubmitAsync(signal);

        Assert.Equal(PublishOutcome.UnknownInstance, signal.Outcome);
    }

    [Fact]
    public async Task Transaction_of_the_caller_is_not_joined()
    {
        var instance = Seam.Instance();
        await using var backend = ConnectWith("Enlist=true;Multiplexing=true");

        // It is never completed.
        using (new TransactionScope(TransactionScopeAsyncFlowOption.Enabled))
            await backend.SubmitAsync(Seam.Start(instance));

        Assert.NotNull(await Backend.FindAsync(instance.Id, Token));
    }

    [Fact]
    public async Task Days_have_24_hours_in_every_time_zone()
    {
        await using var backend = ConnectWith("Timezone=Europe/Sofia");
        var instance = Seam.Instance();
        var lease = Seam.Lease(instance.Id, token: 1, FromMinutes(1)) with { Name = "180" };
        Signal[] signals =
        [
            lease,
            .. Range(1, 12).Select(month => Seam.Signal(instance.Id, $"{30 * month}", Due.After(FromDays(30 * month)))),
        ];

        await backend.SubmitAsync(Seam.Start(instance, signals));
        Assert.Empty(await backend.ExtendLeasesAsync([new(instance.Id, lease.Id, 1)], FromDays(180), Token));

        await using var connection = await OpenAsync();
        await using var wrong = new NpgsqlCommand(
            $"""
            select string_agg(name, ', ') from {Schema}.signal
            where extract(epoch from due_at - now()) - name::integer * 86400 not between -1800 and 1800
            """,
            connection
        );
        Assert.Equal(DBNull.Value, await wrong.ExecuteScalarAsync(Token));
    }

    [Fact]
    public async Task Session_that_has_ended_during_a_report_is_not_lent_again()
    {
        await Backend.SubmitAsync(Seam.Start(Seam.Instance()));
        await ExecuteAsync(
            $"select pg_terminate_backend(pid, 20000) from pg_stat_activity where query like '%{Schema}.%' and pid <> pg_backend_pid()"
        );
        await BackendFails(() => ((PostgreSqlWorkflowBackend)Backend).ReportStatisticsAsync(Token));

        await Backend.SubmitAsync(Seam.Start(Seam.Instance()));
    }

    private static Decision Withdrawing(ClaimedInstance claimed, Guid signalId)
    {
        var decision = Seam.Count(claimed);
        decision.Withdrawn = [signalId];
        return decision;
    }

    /// <summary>
    /// Ends the connection whose open transaction has taken signals of this schema: it waits for the decision, and a publisher never
    /// idles.
    /// </summary>
    private void EndClaimingConnection() => EndIdle($"l.relation = '{Schema}.signal'::regclass and l.mode = 'RowExclusiveLock'");

    private sealed class ClaimEndsOnce(IWorkflowBackend inner, Action end) : BackendDecorator(inner)
    {
        private int _claims;

        protected override void Decided(IReadOnlyList<Decision> decisions)
        {
            if (Interlocked.Increment(ref _claims) == 1)
                end();
        }
    }
}

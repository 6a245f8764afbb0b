namespace Serdica.Perf.Compliance;

/// <summary>Signals that are decided directly, in a transaction that the test holds at each of its steps.</summary>
public sealed class PostgreSqlDirectFaults(PostgreSqlFixture fixture) : PostgreSqlSchemaFaults(fixture)
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Signal_that_is_stored_between_the_snapshot_and_the_lock_comes_first(bool byTurn)
    {
        var instance = await Backend.StartAsync();
        await using var gate = await GateAsync();
        var direct = Seam.Publish(instance.Id, "direct");

        // The statement that holds instances has its snapshot, and has not reached the row.
        var submitting = await SubmitAtAsync(gate, direct);
        if (byTurn)
            await TakeAndSendAsync(instance, "stored");
        else
            await Backend.SubmitAsync(Seam.Publish(instance.Id, "stored"));
        await gate.OpenAsync(Token);
        await submitting;

        Assert.False(direct.IsDecided, "It has overtaken a signal that was stored before its instance was locked.");
        Assert.Equal(["stored", "direct"], await Backend.TakeAsync());
        Assert.Equal(byTurn ? 3 : 2, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Instance_that_changes_between_the_snapshot_and_the_lock_is_decided_as_it_is_then()
    {
        var instance = await Backend.StartAsync();
        await using var gate = await GateAsync();
        var direct = Seam.Publish(instance.Id, "direct");
        var submitting = await SubmitAtAsync(gate, direct);

        var other = Seam.Publish(instance.Id, "other");
        await Backend.SubmitDirectAsync(other);
        await gate.OpenAsync(Token);
        await submitting;

        Assert.Equal((true, true), (direct.IsDecided, other.IsDecided));
        Assert.Equal(2, await VersionOf(instance.Id));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Instance_that_closes_between_the_snapshot_and_the_lock_refuses_the_signal()
    {
        var instance = await Backend.StartAsync();
        await using var gate = await GateAsync();
        var direct = new SignalSubmission(Seam.Signal(instance.Id), dedupKey: "late");
        var submitting = await SubmitAtAsync(gate, direct);

        await Backend.SubmitDirectAsync(Seam.Complete, Seam.Publish(instance.Id));
        await gate.OpenAsync(Token);
        await submitting;

        Assert.Equal((PublishOutcome.InstanceClosed, false), (direct.Outcome, direct.IsDecided));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Connection_that_ends_between_decision_and_commit_writes_nothing_and_frees_the_instance()
    {
        var instance = await Backend.StartAsync();
        SignalSubmission Keyed() => new(Seam.Signal(instance.Id), dedupKey: "once");

        var error = await BackendFails(() => Backend.SubmitDirectAsync(Seam.CountAfter(_ => EndIdleTransaction()), Keyed()));
        Assert.True(error.IsTransient, error.Message);
        var again = Keyed();
        await Backend.SubmitDirectAsync(again);

        Assert.True(again.IsDecided);
        Assert.Equal(1, await VersionOf(instance.Id));
    }

    [Fact]
    public async Task Dedup_key_that_somebody_else_is_storing_is_waited_for()
    {
        var instance = await Backend.StartAsync();
        await using var connection = await OpenAsync();
        await using var storing = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"insert into {Schema}.signal_key (instance_id, dedup_key) values ('{instance.Id}', 'once')");
        var direct = new SignalSubmission(Seam.Signal(instance.Id), dedupKey: "once");

        var submitting = Backend.SubmitDirectAsync(direct);
        await Eventually(() => BlocksSomebodyAsync(connection), "the direct write waits for the key");
        await storing.CommitAsync(Token);
        await submitting;

        Assert.Equal((PublishOutcome.Duplicate, false), (direct.Outcome, direct.IsDecided));
        Assert.Equal(0, await VersionOf(instance.Id));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Dedup_key_that_somebody_else_holds_for_too_long_fails_no_other_caller(bool isDirect)
    {
        var impatient = Own(ConnectWith("Options=-c lock_timeout=300ms"));
        var options = Quick with { Workers = 1, SubmitConcurrency = 1 };
        var client = isDirect
            ? (await HostAsync(impatient, options, Definitions.Appending)).Client
            : Own(new WorkflowClient(impatient, new([Definitions.Appending]), options));
        var started = await StartAsync(client, Definitions.Appending, 11);
        await using var connection = await OpenAsync();
        await using var storing = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"insert into {Schema}.signal_key (instance_id, dedup_key) values ('{started[5].Id}', 'once')");

        var held = new PublishOptions { DedupKey = "once" };
        var calls = started
            .Select((instance, i) => client.SignalAsync(instance.Id, "append", i, i == 5 ? held : null, Token))
            .ToList();

        var error = await BackendFails(() => calls[5]);
        Assert.Equal((true, "55P03"), (error.IsTransient, error.Code));
        calls.RemoveAt(5);
        Assert.All(await Task.WhenAll(calls), outcome => Assert.Equal(PublishOutcome.Accepted, outcome));
    }

    [Fact]
    public async Task Instance_whose_commit_a_trigger_refuses_fails_no_caller()
    {
        var host = await HostAsync(Definitions.Appending);
        var started = await StartAsync(host.Client, Definitions.Appending, 6);
        var culprit = started[0].Id;
        await ExecuteAsync(
            $"""
            create function {Schema}.refuse() returns trigger language plpgsql as $$ begin
                raise exception 'The trigger does not like it.';
            end $$;
            create constraint trigger refuse after update on {Schema}.instance deferrable initially deferred
                for each row when (new.id = '{culprit}') execute function {Schema}.refuse()
            """
        );

        var outcomes = await Task.WhenAll(started.Select(instance => host.Client.SendAsync(instance.Id, "append", Definitions.Last)));

        Assert.All(outcomes, outcome => Assert.Equal(PublishOutcome.Accepted, outcome));
        foreach (var bystander in started.Skip(1))
            Assert.Equal(1, (await CloseOf(host.Client, bystander.Id)).Version);
        await IsGivenUpAsync(host);
        Assert.Equal(culprit, Assert.Single(await DeadLetters()).Signal.InstanceId);
        Assert.Equal(0, await VersionOf(culprit));
    }

    [Fact]
    public Task Instance_whose_state_is_larger_than_its_share_is_left_to_the_workers() => Backend.DecidesNoneThatIsLargerThanItsShare();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Report_comes_after_a_signal_that_is_stored_between_the_snapshot_and_the_lock_of_its_parent(bool byTurn)
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        await using var gate = await GateAsync();
        var asked = new List<long>();

        var submitting = await CloseAtGateAsync(gate, child, asked);
        if (byTurn)
            await TakeAndSendAsync(parent, "stored");
        else
            await Backend.SubmitAsync(Seam.Publish(parent.Id, "stored"));
        await gate.OpenAsync(Token);
        await submitting;

        Assert.Empty(asked);
        Assert.Equal(InstanceStatus.Completed, await StatusOf(child.Id));
        Assert.Equal(["stored", "report"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Parent_that_changes_between_the_snapshot_and_the_lock_is_decided_as_it_is_then()
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        await using var gate = await GateAsync();
        var asked = new List<long>();

        var submitting = await CloseAtGateAsync(gate, child, asked);
        await Backend.SubmitDirectAsync(Seam.Publish(parent.Id, "other"));
        await gate.OpenAsync(Token);
        await submitting;

        Assert.Equal([1], asked);
        Assert.Equal(2, await VersionOf(parent.Id));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Parent_that_another_session_holds_is_not_waited_for()
    {
        var (parent, child) = await Backend.StartFamilyAsync();
        await using var connection = await OpenAsync();
        await using var holding = await connection.BeginTransactionAsync(Token);
        await ExecuteAsync(connection, $"select from {Schema}.instance where id = '{parent.Id}' for update");
        var asked = new List<long>();

        await Backend.SubmitAsync([Seam.Publish(child.Id)], Closing(asked), Token);
        await holding.CommitAsync(Token);

        Assert.Empty(asked);
        Assert.Equal(InstanceStatus.Completed, await StatusOf(child.Id));
        Assert.Equal(["report"], await Backend.TakeAsync());
    }

    [Fact]
    public async Task Connection_that_ends_after_a_parent_was_decided_writes_nothing_and_frees_both()
    {
        var (parent, child) = await Backend.StartFamilyAsync();

        await BackendFails(() => Backend.SubmitAsync([Seam.Publish(child.Id)], Closing([], EndIdleTransaction), Token));
        Assert.Equal((0L, 0L), (await VersionOf(parent.Id), await VersionOf(child.Id)));
        await Backend.SubmitAsync([Seam.Publish(child.Id)], Closing([]), Token);

        Assert.Equal((1L, 1L), (await VersionOf(parent.Id), await VersionOf(child.Id)));
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    /// <returns>
    /// When the statement that holds the parent has its snapshot and waits before the row: the write that closes the child.
    /// </returns>
    private async Task<Task> CloseAtGateAsync(RowGate gate, InstanceRecord child, List<long> asked)
    {
        var isHeld = new TaskCompletionSource(RunContinuationsAsynchronously);
        var mayDecide = new TaskCompletionSource(RunContinuationsAsynchronously);
        var turns = Closing(asked);
        await gate.OpenAsync(Token);
        var submitting = gate.Backend.SubmitAsync(
            [Seam.Publish(child.Id)],
            turns with
            {
                Decide = async batch =>
                {
                    isHeld.SetResult();
                    await mayDecide.Task;
                    return await turns.Decide(batch);
                },
            },
            Token
        );
        await isHeld.Task.InTime();
        await gate.CloseAsync(Token);
        mayDecide.SetResult();
        await Eventually(() => gate.IsWaitedForAsync(Token), "the lock on the parent waits at the gate");
        return submitting;
    }

    /// <summary>Closes the claimed instance, and counts its report into its parent.</summary>
    private static DirectTurns Closing(List<long> asked, Action? deciding = null)
    {
        var decision = new Decision();
        return new(batch =>
        {
            var child = batch.Instances[0].Instance;
            decision.Instance = child with { Version = 1, Status = InstanceStatus.Completed, Waits = WaitKinds.None };
            decision.ExpectedVersion = 0;
            decision.Sent = [Seam.Signal(child.ParentId!.Value, "report") with { Kind = SignalKind.ChildClosed }];
            return Task.FromResult<IReadOnlyList<Decision>>([decision]);
        })
        {
            DecideParents = batch =>
            {
                asked.Add(batch.Instances[0].Instance.Version);
                deciding?.Invoke();
                decision.Sent = null;
                return Task.FromResult(Seam.Count(batch));
            },
        };
    }

    /// <summary>A turn of a worker that changes the instance and sends it a signal that is due at once.</summary>
    private async Task TakeAndSendAsync(InstanceRecord instance, string name)
    {
        await Backend.SubmitAsync(Seam.Publish(instance.Id, "first"));
        await Backend.DecideAsync((decision, _) => decision.Sent = [Seam.Signal(instance.Id, name)]);
    }

    /// <summary>Ends the connection of this schema whose transaction waits for its decisions.</summary>
    private void EndIdleTransaction() => EndIdle($"l.relation = '{Schema}.instance'::regclass");

    private Task<RowGate> GateAsync() => RowGate.OnAsync(Options, Token);
}

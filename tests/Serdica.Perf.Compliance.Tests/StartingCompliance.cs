namespace Serdica.Perf.Compliance;

/// <summary>Starts, business keys, versions, and starts that are refused.</summary>
public abstract class StartingCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Start_stores_what_the_first_steps_decided()
    {
        var definition = Workflow
            .Define<Ledger>("greeting")
            .Do("greet", ledger => ledger.Note = "grüß Gott 🌍")
            .WaitFor<int>("answer", (ledger, number) => ledger.Entries.Add(number))
            .Build();

        var started = await Client(definition).StartAsync(definition, "key-1");

        var record = await RecordOf(started.Id);
        Assert.True(started.IsNew);
        Assert.Equal(("greeting", 1, "key-1"), (record.Definition, record.DefinitionVersion, record.BusinessKey));
        Assert.Equal(
            (InstanceStatus.Waiting, WaitKinds.External, "answer", 0L),
            (record.Status, record.Waits, record.Step, record.Version)
        );
        Assert.Equal(record.CreatedAt, record.UpdatedAt);
        Assert.Null(record.ParentId);
        var read = await Client(definition).GetByKeyAsync<Ledger>("key-1", Token);
        Assert.Equal("grüß Gott 🌍", read!.State.Note);
        Assert.Equal(record.Id, read.Record.Id);
    }

    [Fact]
    public async Task Start_without_a_wait_completes_in_the_same_call()
    {
        var definition = Workflow.Define<Ledger>("short").Do("only", ledger => ledger.Entries.Add(1)).Build();

        var started = await Client(definition).StartAsync(definition);

        var record = await RecordOf(started.Id);
        Assert.Equal((InstanceStatus.Completed, WaitKinds.None, 0L), (record.Status, record.Waits, record.Version));
    }

    [Fact]
    public async Task Largest_version_of_a_definition_is_stored_and_counted()
    {
        var instance = Seam.Instance() with { DefinitionVersion = int.MaxValue };

        await Backend.SubmitAsync(Seam.Start(instance));

        Assert.Equal(int.MaxValue, (await RecordOf(instance.Id)).DefinitionVersion);
        Assert.Equal(int.MaxValue, Assert.Single((await Census()).OpenByDefinition).Key.Version);
    }

    [Fact]
    public async Task Start_that_faults_keeps_the_reason()
    {
        var definition = Workflow.Define<Ledger>("refusing").Do("only", _ => Next.Fault("No stock.")).Build();

        var started = await Client(definition).StartAsync(definition);

        var record = await RecordOf(started.Id);
        Assert.Equal((InstanceStatus.Faulted, "No stock."), (record.Status, record.Error));
    }

    [Fact]
    public async Task Start_whose_first_step_throws_stores_nothing()
    {
        var definition = Workflow.Define<Ledger>("broken").Do("only", _ => throw new TimeZoneNotFoundException("Nowhere.")).Build();

        await Assert.ThrowsAsync<TimeZoneNotFoundException>(() => Client(definition).StartAsync(definition));

        Assert.Equal(0, (await Census()).Total);
    }

    [Fact]
    public async Task Unknown_instance_and_unknown_key_are_read_as_nothing()
    {
        Assert.Null(await Backend.FindAsync(Guid.CreateVersion7(), Token));
        Assert.Null(await Backend.FindByKeyAsync("nobody", Token));
    }

    [Fact]
    public async Task Starting_twice_with_one_business_key_gives_the_same_instance()
    {
        var client = Client(Definitions.Approval);

        var first = await client.StartAsync(Definitions.Approval, new Ledger { Note = "first" }, "order-7", Token);
        var second = await client.StartAsync(Definitions.Approval, new Ledger { Note = "second" }, "order-7", Token);

        Assert.Equal(new StartedInstance(first.Id, false), second);
        Assert.Equal("first", (await StateOf(client, first.Id)).Note);
        Assert.Equal(1, (await Census()).Total);
    }

    [Fact]
    public async Task Business_key_of_a_closed_instance_stays_taken()
    {
        var definition = Workflow.Define<Ledger>("short").Do("only", _ => { }).Build();
        var client = Client(definition);

        var first = await client.StartAsync(definition, "order-7");
        var second = await client.StartAsync(definition, "order-7");

        Assert.Equal(new StartedInstance(first.Id, false), second);
    }

    [Fact]
    public async Task Business_keys_are_compared_letter_by_letter()
    {
        var client = Client(Definitions.Approval);

        foreach (var key in new[] { "order", "Order", "order ", "örder", "o'rder\"; --" })
            Assert.True((await client.StartAsync(Definitions.Approval, key)).IsNew, key);

        Assert.Equal(5, (await Census()).Total);
    }

    [Fact]
    public async Task Sixteen_callers_of_two_processes_that_race_for_a_key_start_one_instance()
    {
        WorkflowClient[] clients = [Client(Definitions.Approval), Client(Definitions.Approval)];

        for (var round = 0; round < 5; round++)
        {
            var key = $"round-{round}";
            var started = await Task.WhenAll(
                Range(0, 16).Select(i => Task.Run(() => clients[i % 2].StartAsync(Definitions.Approval, key), Token))
            );

            Assert.Single(started, instance => instance.IsNew);
            Assert.Single(started.Select(instance => instance.Id).Distinct());
        }

        Assert.Equal(5, (await Census()).Total);
    }

    [Fact]
    public async Task Batches_that_take_the_same_keys_in_opposite_order_both_succeed()
    {
        var other = Connect();
        for (var round = 0; round < 10; round++)
        {
            var keys = Range(0, 100).Select(i => $"{round}-{i}").ToArray();
            StartSubmission[] there = [.. keys.Select(key => Seam.Start(Seam.Instance(key)))];
            StartSubmission[] back = [.. keys.Reverse().Select(key => Seam.Start(Seam.Instance(key)))];

            await Task.WhenAll(
                Task.Run(() => Backend.SubmitAsync(there, Token), Token),
                Task.Run(() => other.SubmitAsync(back, Token), Token)
            );

            Assert.Equal(100, there.Concat(back).Count(start => start.Existing is null));
        }

        Assert.Equal(1_000, (await Census()).Total);
    }

    [Fact]
    public async Task Business_key_of_another_definition_is_a_conflict_that_names_its_owner()
    {
        var client = Client(Definitions.Approval, Definitions.Appending);
        var owner = await client.StartAsync(Definitions.Approval, "order-7");

        var conflict = await Assert.ThrowsAsync<BusinessKeyConflictException>(() => client.StartAsync(Definitions.Appending, "order-7"));

        Assert.Equal(new ExistingInstance(owner.Id, "approval"), conflict.Existing);
        Assert.Equal("order-7", conflict.BusinessKey);
        Assert.Equal(1, (await Census()).Total);
    }

    [Fact]
    public async Task Refused_start_leaves_its_batch_mates_alone()
    {
        var taken = Seam.Instance("taken");
        await Backend.SubmitAsync(Seam.Start(taken));
        StartSubmission[] batch = [.. new[] { "a", "taken", "b", "a", null }.Select(key => Seam.Start(Seam.Instance(key)))];

        await Backend.SubmitAsync(batch, Token);

        Assert.Equal([false, true, false, true, false], batch.Select(start => start.Existing is not null));
        Assert.Equal(taken.Id, batch[1].Existing!.Id);
        Assert.Equal(batch[0].Decision.Instance!.Id, batch[3].Existing!.Id);
        Assert.Equal(4, (await Census()).Total);
    }

    [Fact]
    public async Task Refused_start_leaves_neither_children_nor_signals()
    {
        await Backend.SubmitAsync(Seam.Start(Seam.Instance("taken")));
        var refused = Seam.Instance("taken");
        var child = Seam.ChildOf(refused);
        var submission = new StartSubmission(
            new Decision { Instance = refused, Started = [child], Sent = [Seam.Signal(refused.Id), Seam.Signal(child.Id)] }
        );

        await Backend.SubmitAsync(submission);

        Assert.NotNull(submission.Existing);
        Assert.Null(await Backend.FindAsync(child.Id, Token));
        var census = await Census();
        Assert.Equal((1, 0), (census.Total, census.SignalsDue));
    }

    [Fact]
    public async Task Versions_of_a_definition_live_side_by_side()
    {
        var first = Version(1);
        var second = Version(2);
        var old = await Client(first).StartAsync("versioned", new Ledger(), cancellationToken: Token);
        var host = await HostAsync(first, second);
        var young = await host.Client.StartAsync("versioned", new Ledger(), cancellationToken: Token);

        await host.Client.SendAsync(old.Id, "go", 0);
        await host.Client.SendAsync(young.Id, "go", 0);

        Assert.Equal(1, (await CloseOf(host.Client, old.Id)).DefinitionVersion);
        Assert.Equal(2, (await CloseOf(host.Client, young.Id)).DefinitionVersion);
        Assert.Equal([1], await EntriesOf(host.Client, old.Id));
        Assert.Equal([2], await EntriesOf(host.Client, young.Id));
    }

    [Fact]
    public async Task Definition_that_the_client_does_not_know_is_refused_by_name()
    {
        var client = Client(Definitions.Approval);

        var unknown = await Assert.ThrowsAsync<UnknownDefinitionException>(() =>
            client.StartAsync("aproval", new Ledger(), cancellationToken: Token)
        );
        Assert.Contains("'aproval'", unknown.Message);
        Assert.Contains("approval", unknown.Message);
        await Assert.ThrowsAsync<UnknownDefinitionException>(() =>
            client.StartAsync("approval", "not its state", cancellationToken: Token)
        );
        await Assert.ThrowsAsync<UnknownDefinitionException>(() => client.StartAsync(Definitions.Appending));
        Assert.Equal(0, (await Census()).Total);
    }

    [Fact]
    public async Task State_that_cannot_be_written_is_refused_and_stores_nothing()
    {
        var endless = Workflow.Define<Endless>("endless").WaitFor<int>("go", (_, _) => { }).Build();
        var state = new Endless();
        state.Self = state;

        var error = await Assert.ThrowsAsync<WorkflowStateException>(() =>
            Client(endless).StartAsync(endless, state, cancellationToken: Token)
        );

        Assert.Contains("endless", error.Message);
        Assert.Equal(0, (await Census()).Total);
    }

    [Fact]
    public async Task State_over_the_limit_is_refused_with_its_size()
    {
        var client = Client(Quick with { MaxStateBytes = 1_000 }, Definitions.Approval);

        var error = await Assert.ThrowsAsync<WorkflowStateException>(() =>
            client.StartAsync(Definitions.Approval, new Ledger { Note = new string('x', 1_000) }, cancellationToken: Token)
        );

        Assert.Contains("1000", error.Message);
        Assert.Equal(0, (await Census()).Total);
    }

    [Fact]
    public async Task Large_state_comes_back_as_it_was()
    {
        var note = string.Concat(Range(0, 100_000).Select(i => (char)('a' + (i % 26))));
        var client = Client(Definitions.Approval);

        var started = await client.StartAsync(Definitions.Approval, new Ledger { Note = note }, cancellationToken: Token);

        Assert.Equal(note, (await StateOf(client, started.Id)).Note);
    }

    private static WorkflowDefinition<Ledger> Version(int version) =>
        Workflow.Define<Ledger>("versioned", version).WaitFor<int>("go", (ledger, _) => ledger.Entries.Add(version)).Build();

    private sealed class Endless
    {
        public Endless? Self { get; set; }
    }
}

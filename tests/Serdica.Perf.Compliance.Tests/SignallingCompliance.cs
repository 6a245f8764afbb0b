namespace Serdica.Perf.Compliance;

/// <summary>Publishing: outcomes, dedup keys, early signals, order, delay, bad input.</summary>
public abstract class SignallingCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Signal_reaches_its_instance_by_id_and_by_business_key()
    {
        var host = await HostAsync(Definitions.Appending);
        var started = await host.Client.StartAsync(Definitions.Appending, "ledger-1");

        Assert.Equal(PublishOutcome.Accepted, await host.Client.SendAsync(started.Id, "append", 1));
        Assert.Equal(PublishOutcome.Accepted, await host.Client.SignalByKeyAsync("ledger-1", "append", 2, cancellationToken: Token));
        await host.Client.SignalByKeyAsync("ledger-1", "append", Definitions.Last, cancellationToken: Token);

        var record = await CloseOf(host.Client, started.Id);
        Assert.Equal((InstanceStatus.Completed, 3L), (record.Status, record.Version));
        Assert.True(record.UpdatedAt >= record.CreatedAt);
        Assert.Equal([1, 2], await EntriesOf(host.Client, started.Id));
    }

    [Fact]
    public async Task Signal_for_nobody_or_for_a_closed_instance_says_so_and_is_not_stored()
    {
        var closed = Seam.Instance("closed", WaitKinds.None, InstanceStatus.Completed);
        await Backend.SubmitAsync(Seam.Start(closed));
        var client = Client(Definitions.Approval);

        Assert.Equal(PublishOutcome.UnknownInstance, await client.SendAsync(Guid.CreateVersion7(), "go", 1));
        Assert.Equal(PublishOutcome.UnknownInstance, await client.SignalByKeyAsync("nobody", "go", 1, cancellationToken: Token));
        Assert.Equal(PublishOutcome.InstanceClosed, await client.SendAsync(closed.Id, "go", 1));
        Assert.Equal(PublishOutcome.InstanceClosed, await client.SignalByKeyAsync("closed", "go", 1, cancellationToken: Token));
        Assert.Equal(
            PublishOutcome.InstanceClosed,
            await client.SignalAsync(closed.Id, "go", 1, new PublishOptions { DedupKey = "once" }, Token)
        );
        var census = await Census();
        Assert.Equal((0, 0), (census.SignalsDue, census.SignalsLater));
    }

    [Fact]
    public async Task Outcomes_of_one_batch_belong_to_their_items()
    {
        var open = Seam.Instance();
        var closed = Seam.Closed(InstanceStatus.Cancelled);
        await Backend.SubmitAsync(Seam.Start(open), Seam.Start(closed));
        SignalSubmission[] batch =
        [
            Seam.Publish(closed.Id),
            Seam.Publish(open.Id),
            Seam.Publish(Guid.CreateVersion7()),
            new(Seam.Signal(open.Id), dedupKey: "k"),
            new(Seam.Signal(open.Id), dedupKey: "k"),
            Seam.Publish(open.Id),
        ];

        await Backend.SubmitAsync(batch, Token);

        Assert.Equal(
            [
                PublishOutcome.InstanceClosed,
                PublishOutcome.Accepted,
                PublishOutcome.UnknownInstance,
                PublishOutcome.Accepted,
                PublishOutcome.Duplicate,
                PublishOutcome.Accepted,
            ],
            batch.Select(item => item.Outcome)
        );
        Assert.Equal(3, (await Census()).SignalsDue);
    }

    /// <summary>A batch is submitted again, in halves or without decisions, when it could not be written.</summary>
    [Fact]
    public async Task Outcome_is_that_of_the_last_time_that_an_item_was_submitted()
    {
        var signal = new SignalSubmission(Seam.Signal(Guid.Empty), "late");
        await Backend.SubmitAsync(signal);
        Assert.Equal(PublishOutcome.UnknownInstance, signal.Outcome);
        await Backend.SubmitAsync(Seam.Start(Seam.Instance("late")));

        await Backend.SubmitAsync(signal);

        Assert.Equal(PublishOutcome.Accepted, signal.Outcome);
        Assert.Equal(1, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Dedup_key_holds_for_its_instance_also_after_the_signal_was_consumed()
    {
        var host = await HostAsync(Definitions.Appending);
        var one = await host.Client.StartAsync(Definitions.Appending);
        var other = await host.Client.StartAsync(Definitions.Appending);
        var once = new PublishOptions { DedupKey = "payment-1" };

        Assert.Equal(PublishOutcome.Accepted, await host.Client.SignalAsync(one.Id, "append", 1, once, Token));
        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(one.Id, "append", 1, once, Token));
        await Eventually(async () => await VersionOf(one.Id) == 1, "the first signal is consumed");
        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(one.Id, "append", 1, once, Token));
        Assert.Equal(PublishOutcome.Accepted, await host.Client.SignalAsync(other.Id, "append", 1, once, Token));

        await host.Client.SendAsync(one.Id, "append", Definitions.Last);
        await CloseOf(host.Client, one.Id);
        Assert.Equal([1], await EntriesOf(host.Client, one.Id));
    }

    [Fact]
    public async Task Signal_that_closed_its_instance_is_a_duplicate_when_it_is_repeated()
    {
        var host = await HostAsync(Definitions.Approval);
        var once = new PublishOptions { DedupKey = "payment-1" };
        var started = await host.Client.StartAsync(Definitions.Approval, "order-1");

        Assert.Equal(PublishOutcome.Accepted, await host.Client.SignalAsync(started.Id, "approve", "yes", once, Token));
        await CloseOf(host.Client, started.Id);
        var other = await host.Client.StartAsync(Definitions.Approval);
        await host.Client.SignalAsync(other.Id, "early", 1, new PublishOptions { DedupKey = "payment-2" }, Token);

        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalAsync(started.Id, "approve", "yes", once, Token));
        Assert.Equal(PublishOutcome.Duplicate, await host.Client.SignalByKeyAsync("order-1", "approve", "yes", once, Token));
        Assert.Equal(
            PublishOutcome.InstanceClosed,
            await host.Client.SignalAsync(started.Id, "approve", "yes", new PublishOptions { DedupKey = "payment-2" }, Token)
        );
        Assert.Equal(PublishOutcome.InstanceClosed, await host.Client.SendAsync(started.Id, "approve", "yes"));
    }

    [Fact]
    public async Task Sixteen_racing_publishers_of_one_dedup_key_are_accepted_once()
    {
        var instance = await Backend.StartAsync();
        IWorkflowBackend[] backends = [Backend, Connect()];

        var submissions = Range(0, 16).Select(_ => new SignalSubmission(Seam.Signal(instance.Id), dedupKey: "once")).ToArray();
        await Task.WhenAll(submissions.Select((item, i) => Task.Run(() => backends[i % 2].SubmitAsync([item], Token), Token)));

        Assert.Single(submissions, item => item.Outcome == PublishOutcome.Accepted);
        Assert.Equal(15, submissions.Count(item => item.Outcome == PublishOutcome.Duplicate));
        Assert.Equal(1, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Signals_that_come_before_their_wait_are_kept_in_order()
    {
        var definition = Workflow
            .Define<Ledger>("two-waits")
            .WaitFor<int>("first", (ledger, number) => ledger.Entries.Add(number))
            .WaitFor<int>("second", (ledger, number) => ledger.Entries.Add(number))
            .WaitFor<int>(
                "again",
                (ledger, number, _) =>
                {
                    ledger.Entries.Add(number);
                    return Next.Step;
                },
                signal: "second"
            )
            .Build();
        var (host, started) = await StartedAsync(definition);

        await host.Client.SendAsync(started.Id, "second", 20);
        await host.Client.SendAsync(started.Id, "second", 30);
        await Eventually(async () => await VersionOf(started.Id) == 2, "both early signals are kept");
        Assert.Equal("first", (await RecordOf(started.Id)).Step);
        await host.Client.SendAsync(started.Id, "first", 10);

        await Completes(host.Client, started.Id);
        Assert.Equal([10, 20, 30], await EntriesOf(host.Client, started.Id));
    }

    [Fact]
    public async Task Five_hundred_signals_of_one_publisher_arrive_in_order_over_two_hosts()
    {
        var one = await HostAsync(Quick with { Workers = 4, ClaimBatch = 7 }, Definitions.Appending);
        await HostAsync(Quick with { Workers = 4, ClaimBatch = 7 }, Definitions.Appending);
        var started = await one.Client.StartAsync(Definitions.Appending);

        // Bursts without waiting in between share their commits; each burst must still come out as it went in.
        foreach (var burst in Range(0, 500).Chunk(25))
            await Task.WhenAll(burst.Select(i => one.Client.SendAsync(started.Id, "append", i)));
        await one.Client.SendAsync(started.Id, "append", Definitions.Last);

        var record = await CloseOf(one.Client, started.Id);
        Assert.Equal(501, record.Version);
        Assert.Equal(Range(0, 500), await EntriesOf(one.Client, started.Id));
    }

    [Fact]
    public async Task Signals_with_and_without_a_dedup_key_keep_the_order_of_their_batch()
    {
        var instance = await Backend.StartAsync();

        // Large enough for the batch not to fit into one call of every backend. The keys are in no order.
        var batch = Range(0, 12)
            .Select(i => new SignalSubmission(
                Seam.Signal(instance.Id, $"{i:00}") with { Payload = Encoding.UTF8.GetBytes($"\"{new string('x', 10_000)}\"") },
                dedupKey: i % 3 == 0 ? null : $"key-{i * 7 % 12}"
            ))
            .ToArray();
        await Backend.SubmitAsync(batch, Token);

        List<string> taken = [];
        while (taken.Count < batch.Length)
        {
            var more = await Backend.TakeAsync();
            Assert.NotEmpty(more);
            taken.AddRange(more);
        }

        Assert.Equal(batch.Select(item => item.Signal.Name), taken);
    }

    [Fact]
    public async Task Signal_before_a_cancel_is_handled_before_it()
    {
        var client = Client(Definitions.Appending);
        var started = await client.StartAsync(Definitions.Appending);
        await client.SendAsync(started.Id, "append", 1);
        await client.CancelAsync(started.Id, "enough", Token);

        await HostAsync(Definitions.Appending);

        Assert.Equal(InstanceStatus.Cancelled, (await CloseOf(client, started.Id)).Status);
        Assert.Equal([1], await EntriesOf(client, started.Id));
        Assert.Empty(await DeadLetters());
    }

    [Fact]
    public async Task Delayed_signal_is_never_early_by_the_clock_of_the_database()
    {
        var (host, started) = await StartedAsync(Definitions.Appending);
        var delay = FromSeconds(4);

        await host.Client.SendAsync(started.Id, "append", 0);
        await Eventually(async () => await VersionOf(started.Id) == 1, "the marker is handled");
        await host.Client.SignalAsync(started.Id, "append", 1, new PublishOptions { Delay = delay }, Token);
        await host.Client.SendAsync(started.Id, "append", 2);
        await Eventually(async () => await VersionOf(started.Id) == 3, "the delayed signal is handled");

        var ledger = await StateOf(host.Client, started.Id);
        Assert.Equal([0, 2, 1], ledger.Entries);
        Assert.True(ledger.Times[2] - ledger.Times[0] >= delay, $"It came after {ledger.Times[2] - ledger.Times[0]}.");
    }

    [Fact]
    public async Task Payload_over_the_limit_is_refused_with_its_size()
    {
        var client = Client(Quick with { MaxPayloadBytes = 100 }, Definitions.Approval);
        var started = await client.StartAsync(Definitions.Approval);

        var error = await Assert.ThrowsAsync<PayloadTooLargeException>(() => client.SendAsync(started.Id, "approve", new string('x', 100)));

        Assert.Contains("102", error.Message);
        Assert.Equal(0, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Payload_at_the_limit_and_no_payload_both_arrive()
    {
        var host = await HostAsync(Definitions.Approval);
        var large = await host.Client.StartAsync(Definitions.Approval);
        var empty = await host.Client.StartAsync(Definitions.Approval, new Ledger { Note = "before" }, cancellationToken: Token);

        await host.Client.SendAsync(large.Id, "approve", new string('x', 200_000));
        await host.Client.SignalJsonAsync(empty.Id, "approve", [], cancellationToken: Token);

        await CloseOf(host.Client, large.Id);
        await CloseOf(host.Client, empty.Id);
        Assert.Equal(200_000, (await StateOf(host.Client, large.Id)).Note!.Length);
        Assert.Null((await StateOf(host.Client, empty.Id)).Note);
    }

    [Theory]
    [InlineData("")]
    [InlineData("tab\tinside")]
    [InlineData("half a pair \uD83C")]
    public async Task Name_that_no_database_should_store_is_refused_before_it_gets_there(string name)
    {
        var client = Client(Definitions.Approval);
        var started = await client.StartAsync(Definitions.Approval);

        await Assert.ThrowsAsync<ArgumentException>(() => client.SendAsync(started.Id, name, 1));
        await Assert.ThrowsAsync<ArgumentException>(() => client.SignalByKeyAsync(name, "approve", 1, cancellationToken: Token));
        await Assert.ThrowsAsync<ArgumentException>(() =>
            client.SignalAsync(started.Id, "approve", 1, new PublishOptions { DedupKey = name }, Token)
        );
        await Assert.ThrowsAsync<ArgumentException>(() => client.StartAsync(Definitions.Approval, name));
    }

    [Fact]
    public async Task Delay_beyond_all_calendars_is_refused_and_does_no_harm()
    {
        var (host, started) = await StartedAsync(Definitions.Approval);

        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() =>
            host.Client.SignalAsync(started.Id, "approve", "late", new PublishOptions { Delay = TimeSpan.MaxValue }, Token)
        );
        await host.Client.SendAsync(started.Id, "approve", "now");

        await Completes(host.Client, started.Id);
        await Quiescence();
    }

    [Fact]
    public async Task One_item_that_the_backend_refuses_does_not_fail_its_batch_mates()
    {
        var instance = await Backend.StartAsync();
        await using var client = new WorkflowClient(
            new RefusesOne(Backend, "poison"),
            new WorkflowRegistry([]),
            Quick with { SubmitConcurrency = 1 }
        );

        var calls = Range(0, 40)
            .Select(i => client.SendAsync(instance.Id, i == 17 ? "poison" : "fine", i))
            .ToList();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        Assert.True(Assert.IsType<WorkflowBackendException>(calls[17].Exception!.InnerException).NothingWritten);
        Assert.Equal(39, calls.Count(call => call.IsCompletedSuccessfully));
        Assert.Equal(39, (await Census()).SignalsDue);
    }

    [Fact]
    public async Task Commit_that_hangs_does_not_hold_up_those_who_come_after_it()
    {
        var instance = await Backend.StartAsync();
        var hanging = new HangsOnce(Backend);
        var options = Quick with { SubmitPatience = FromSeconds(1) };
        await using (var client = new WorkflowClient(hanging, new([]), options))
        {
            var held = client.SendAsync(instance.Id, "held", 0);

            for (var i = 0; i < 3; i++)
                Assert.Equal(PublishOutcome.Accepted, await client.SendAsync(instance.Id, "after", i).InTime());
            Assert.False(held.IsCompleted);
            hanging.Release();
            Assert.Equal(PublishOutcome.Accepted, await held);
        }

        Assert.Equal(4, (await Census()).SignalsDue);
    }

    /// <summary>The first commit waits until it is released.</summary>
    private sealed class HangsOnce(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        private readonly TaskCompletionSource _released = new(RunContinuationsAsynchronously);
        private int _calls;

        public void Release() => _released.TrySetResult();

        public override async Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
        {
            if (Interlocked.Increment(ref _calls) == 1)
                await _released.Task.WaitAsync(cancellationToken);
            await base.SubmitAsync(batch, cancellationToken);
        }
    }

    private sealed class RefusesOne(IWorkflowBackend inner, string name) : BackendDecorator(inner)
    {
        public override async Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
        {
            // Late enough for the other callers to share a batch with the one at fault.
            await Task.Yield();
            if (batch.OfType<SignalSubmission>().Any(item => item.Signal.Name == name))
                throw new WorkflowBackendException("This item cannot be stored.", isTransient: false) { NothingWritten = true };
            await base.SubmitAsync(batch, cancellationToken);
        }
    }
}

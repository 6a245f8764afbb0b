namespace Serdica.Perf.Compliance;

/// <summary>Cancellation in every state that an instance can be in.</summary>
public abstract class CancellingCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    [Fact]
    public async Task Instance_that_waits_for_a_signal_is_cancelled_with_the_reason()
    {
        var (host, started) = await StartedAsync(Definitions.Approval);

        Assert.Equal(PublishOutcome.Accepted, await host.Client.CancelAsync(started.Id, "The customer left.", Token));

        var record = await CloseOf(host.Client, started.Id);
        Assert.Equal((InstanceStatus.Cancelled, "The customer left.", WaitKinds.None), (record.Status, record.Error, record.Waits));
        Assert.Equal(PublishOutcome.InstanceClosed, await host.Client.CancelAsync(started.Id, "Again.", Token));
        Assert.Equal(PublishOutcome.InstanceClosed, await host.Client.SendAsync(started.Id, "approve", "late"));
    }

    [Fact]
    public async Task Instance_is_cancelled_by_its_business_key()
    {
        var host = await HostAsync(Definitions.Approval);
        var started = await host.Client.StartAsync(Definitions.Approval, "order-1");

        Assert.Equal(PublishOutcome.UnknownInstance, await host.Client.CancelByKeyAsync("order-2", "Wrong one.", cancellationToken: Token));
        Assert.Equal(
            PublishOutcome.Accepted,
            await host.Client.CancelByKeyAsync("order-1", "The customer left.", cancellationToken: Token)
        );

        Assert.Equal("The customer left.", (await CloseOf(host.Client, started.Id)).Error);
    }

    [Fact]
    public async Task Cancel_with_a_dedup_key_counts_once()
    {
        var client = Client(Definitions.Approval);
        var started = await client.StartAsync(Definitions.Approval, "order-1");
        var once = new PublishOptions { DedupKey = "cancel-1" };

        Assert.Equal(PublishOutcome.Accepted, await client.CancelAsync(started.Id, "Once.", once, Token));
        Assert.Equal(PublishOutcome.Duplicate, await client.CancelAsync(started.Id, "Again.", once, Token));
        Assert.Equal(PublishOutcome.Duplicate, await client.CancelByKeyAsync("order-1", "By key.", once, Token));

        var host = await HostAsync(Definitions.Approval);
        Assert.Equal("Once.", (await CloseOf(host.Client, started.Id)).Error);
    }

    [Fact]
    public async Task Timer_goes_with_the_cancelled_instance()
    {
        var definition = Workflow.Define<Ledger>("sleeper").Delay("sleep", FromMinutes(5)).Build();
        var (host, started) = await StartedAsync(definition);

        await host.Client.CancelAsync(started.Id, "Wake up.", Token);

        Assert.Equal(InstanceStatus.Cancelled, (await CloseOf(host.Client, started.Id)).Status);
        Assert.Equal(0, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Running_activity_is_told_and_its_lease_goes()
    {
        var told = new TaskCompletionSource();
        var definition = Workflow
            .Define<Ledger>("working")
            .Activity("call", async (_, context) =>
            {
                context.CancellationToken.Register(() => told.TrySetResult());
                await Task.Delay(Timeout.Infinite, context.CancellationToken);
            })
            .Build();
        var (host, started) = await StartedAsync(Quick with { ActivityLease = FromSeconds(3) }, definition);
        await Eventually(() => Task.FromResult(host.Counters.ActivityAttempts >= 1), "the activity runs");

        await host.Client.CancelAsync(started.Id, "Stop.", Token);

        Assert.Equal(InstanceStatus.Cancelled, (await CloseOf(host.Client, started.Id)).Status);
        await told.Task.InTime();
        await Quiescence();
    }

    [Fact]
    public async Task Activity_that_was_not_begun_is_never_run()
    {
        var calls = 0;
        var definition = Workflow
            .Define<Ledger>("working")
            .Activity("call", (_, _) => Task.FromResult(Interlocked.Increment(ref calls)), (_, _) => { })
            .Build();
        var client = Client(definition);
        var started = await client.StartAsync(definition);
        await client.CancelAsync(started.Id, "Never mind.", Token);

        var host = await HostAsync(definition);

        Assert.Equal(InstanceStatus.Cancelled, (await CloseOf(client, started.Id)).Status);
        await host.StopAsync(Token);
        Assert.Equal(0, calls);
        Assert.Equal(0, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Cancel_goes_down_the_tree()
    {
        var leaf = Workflow.Define<Ledger>("leaf").WaitFor<int>("never", (_, _) => { }).Build();
        var middle = Workflow.Define<Ledger>("middle").Child("ask", leaf, _ => new Ledger(), (_, _) => { }).Build();
        var top = Workflow
            .Define<Ledger>("top")
            .Children("spread", middle, _ => [new Ledger(), new Ledger()], (_, _, _) => Next.Step)
            .Build();
        var (host, started) = await StartedAsync(top, middle, leaf);

        await host.Client.CancelAsync(started.Id, "All of it.", Token);

        await Eventually(async () => (await Census()).Count(InstanceStatus.Cancelled) == 5, "the tree is cancelled");
        await Quiescence();
    }

    [Fact]
    public async Task Parent_hears_that_its_child_was_cancelled()
    {
        var leaf = Workflow.Define<Ledger>("leaf").WaitFor<int>("never", (_, _) => { }).Build();
        var parent = Workflow
            .Define<Ledger>("parent")
            .Children(
                "ask",
                leaf,
                _ => [new Ledger()],
                (ledger, results, _) =>
                {
                    ledger.Note = $"{results[0].Status}: {results[0].Error}";
                    return Next.Step;
                }
            )
            .Build();
        var (host, started) = await StartedAsync(parent, leaf);
        var child = (await FindChildOf(started.Id))!.Value;

        await host.Client.CancelAsync(child, "Only this one.", Token);

        await Completes(host.Client, started.Id);
        Assert.Equal("Cancelled: Only this one.", (await StateOf(host.Client, started.Id)).Note);

        async Task<Guid?> FindChildOf(Guid parentId)
        {
            var progress = System.Text.Json.JsonDocument.Parse((await RecordOf(parentId)).Progress!);
            return progress.RootElement.GetProperty("children").GetProperty("first").GetGuid();
        }
    }

    [Fact]
    public async Task Cancel_of_a_child_that_was_continued_reaches_the_continuation()
    {
        var (parent, child, last) = Continued();
        var (host, started) = await StartedAsync(parent, child, last);
        await Eventually(async () => (await Census()).Count(InstanceStatus.Completed) == 1, "the child is continued");

        await host.Client.CancelAsync(started.Id, "All of it.", Token);

        await Eventually(async () => (await Census()).Count(InstanceStatus.Cancelled) == 2, "parent and continuation are cancelled");
        await Quiescence();
    }

    [Fact]
    public async Task Cancel_that_is_claimed_with_the_signal_that_continues_reaches_the_continuation()
    {
        var last = Workflow.Define<Ledger>("last").WaitFor<int>("never", (_, _) => { }).Build();
        var first = Workflow.Define<Ledger>("first").WaitFor<int>("go", (_, _) => { }).ContinueWith("on", last, _ => new Ledger()).Build();
        var client = Client(first, last);
        var started = await client.StartAsync(first);
        await client.SendAsync(started.Id, "go", 1);
        Assert.Equal(PublishOutcome.Accepted, await client.CancelAsync(started.Id, "All of it.", Token));

        await HostAsync(first, last);

        await Eventually(async () => (await Census()).Count(InstanceStatus.Cancelled) == 1, "the continuation is cancelled");
        Assert.Equal(InstanceStatus.Completed, await StatusOf(started.Id));
    }

    [Fact]
    public async Task Signals_that_were_kept_become_dead_letters_with_the_reason()
    {
        var (host, started) = await StartedAsync(Definitions.Approval);
        await host.Client.SendAsync(started.Id, "early", 1);

        await host.Client.CancelAsync(started.Id, "Enough.", Token);
        await CloseOf(host.Client, started.Id);

        var letter = Assert.Single(await DeadLetters());
        Assert.Equal(("early", DeadLetterReason.InstanceClosed), (letter.Signal.Name, letter.Reason));
    }

    private static (WorkflowDefinition<Ledger> Parent, WorkflowDefinition<Ledger> Child, WorkflowDefinition<Ledger> Last) Continued()
    {
        var last = Workflow.Define<Ledger>("last").WaitFor<int>("never", (_, _) => { }).Build();
        var child = Workflow.Define<Ledger>("child").ContinueWith("on", last, _ => new Ledger()).Build();
        var parent = Workflow.Define<Ledger>("parent").Child("ask", child, _ => new Ledger(), (_, _) => { }).Build();
        return (parent, child, last);
    }
}

namespace Serdica.Perf.Compliance;

/// <summary>Children, fan-out, and continuations.</summary>
public abstract class ChildCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private static readonly WorkflowDefinition<Ledger> Doubling = Workflow
        .Define<Ledger>("doubling")
        .Delay("rest", FromMilliseconds(5))
        .Do("double", ledger => ledger.Entries[0] == 13 ? Next.Fault("Unlucky.") : Doubled(ledger))
        .Build();

    [Fact]
    public async Task Parent_waits_for_its_child_and_takes_the_result()
    {
        var parent = Workflow
            .Define<Ledger>("parent")
            .Child(
                "ask",
                Doubling,
                ledger => new Ledger { Entries = [.. ledger.Entries] },
                (ledger, child) => ledger.Entries = child.Entries
            )
            .Build();
        var client = Client(parent, Doubling);
        var started = await client.StartAsync(parent, new Ledger { Entries = [21] }, cancellationToken: Token);

        // No host runs yet that could complete the child.
        Assert.Equal(WaitKinds.Child, (await RecordOf(started.Id)).Waits);
        var host = await HostAsync(parent, Doubling);

        await Completes(host.Client, started.Id);
        Assert.Equal([42], await EntriesOf(host.Client, started.Id));
        Assert.Equal(2, (await Census()).Count(InstanceStatus.Completed));
        await Quiescence();
    }

    [Fact]
    public async Task Fan_out_joins_ten_children_in_the_order_of_their_inputs()
    {
        var parent = FanOut(Doubling);
        var host = await HostAsync(Quick with { Workers = 4 }, parent, Doubling);
        await HostAsync(Quick with { Workers = 4 }, parent, Doubling);

        var started = await host.Client.StartAsync(parent, new Ledger { Entries = [.. Range(0, 10)] }, cancellationToken: Token);

        var record = await CloseOf(host.Client, started.Id);
        Assert.Equal((InstanceStatus.Completed, 10L), (record.Status, record.Version));
        Assert.Equal(Range(0, 10).Select(i => 2 * i), await EntriesOf(host.Client, started.Id));
        await Quiescence();
    }

    [Fact]
    public async Task Fan_out_over_nothing_goes_on_at_once()
    {
        var parent = FanOut(Doubling);

        var started = await Client(parent, Doubling).StartAsync(parent);

        Assert.Equal(InstanceStatus.Completed, await StatusOf(started.Id));
    }

    [Fact]
    public async Task Report_to_a_parent_that_was_purged_meanwhile_leaves_nothing_behind()
    {
        var parent = Seam.Closed(InstanceStatus.Cancelled);
        var child = Seam.ChildOf(parent);
        await Backend.SubmitAsync(Seam.Start(parent), Seam.Start(child, Seam.Signal(child.Id)));
        var purging = Connect();

        await Backend.DecideAsync((decision, _) =>
        {
            PurgeNow().GetAwaiter().GetResult();
            decision.Sent = [Seam.Signal(parent.Id) with { Kind = SignalKind.ChildClosed }];
        });
        await Backend.TakeAsync();

        Assert.Null(await Backend.FindAsync(parent.Id, Token));
        var census = await Census();
        Assert.Equal((0, 0, 0), (census.SignalsDue, census.SignalsLater, census.DeadLetters));

        // Clocks may stand still from one write to the next.
        async Task PurgeNow()
        {
            while (await purging.PurgeAsync(TimeSpan.Zero, Token) == 0)
                await Task.Yield();
        }
    }

    [Fact]
    public async Task Parent_of_a_faulted_child_faults_with_its_reason()
    {
        var parent = Workflow
            .Define<Ledger>("parent")
            .Child("ask", Doubling, ledger => new Ledger { Entries = [.. ledger.Entries] }, (_, _) => { })
            .Build();
        var host = await HostAsync(parent, Doubling);

        var started = await host.Client.StartAsync(parent, new Ledger { Entries = [13] }, cancellationToken: Token);

        var record = await CloseOf(host.Client, started.Id);
        Assert.Equal(InstanceStatus.Faulted, record.Status);
        Assert.Contains("step 'ask'", record.Error);
        Assert.Contains("Unlucky.", record.Error);
        await Quiescence();
    }

    [Theory]
    [InlineData(65_536)]
    [InlineData(0)]
    public async Task Fan_out_sees_which_child_faulted(int maxChildBytes)
    {
        var parent = Workflow
            .Define<Ledger>("tolerant")
            .Children(
                "ask",
                Doubling,
                ledger => ledger.Entries.Select(i => new Ledger { Entries = [i] }),
                (ledger, results, _) =>
                {
                    ledger.Note = string.Join(' ', results.Select(result => $"{result.Status}:{result.Error}"));
                    return Next.Step;
                }
            )
            .Build();
        var host = await HostAsync(Quick with { MaxChildBytes = maxChildBytes }, parent, Doubling);

        var started = await host.Client.StartAsync(parent, new Ledger { Entries = [1, 13, 2] }, cancellationToken: Token);

        await Completes(host.Client, started.Id);
        Assert.Equal("Completed: Faulted:Unlucky. Completed:", (await StateOf(host.Client, started.Id)).Note);
    }

    /// <summary>A claim takes one signal, so that each report is a turn of its own.</summary>
    [Fact]
    public async Task Parent_of_a_large_family_does_not_write_its_results_again_with_each_child_that_closes()
    {
        const int Children = 30;
        const int Bytes = 10_000;
        var growing = Workflow.Define<Ledger>("growing").Do("grow", ledger => ledger.Note = new string('x', Bytes)).Build();
        var parent = Workflow
            .Define<Ledger>("large")
            .Children(
                "ask",
                growing,
                ledger => ledger.Entries.Select(i => new Ledger { Entries = [i] }),
                (ledger, results, _) =>
                {
                    ledger.Entries = [.. results.Select(result => result.State.Entries[0])];
                    ledger.Note = $"{results.Sum(result => result.State.Note!.Length)} bytes";
                    return Next.Step;
                }
            )
            .Build();
        var backend = new WeighsUpdates(Connect());
        var host = await HostAsync(backend, Quick with { ClaimBatch = 1 }, parent, growing);
        var client = Client(parent, growing);

        var started = await client.StartAsync(
            parent,
            new Ledger { Entries = [.. Range(0, Children)] },
            cancellationToken: Token
        );

        await Completes(client, started.Id);
        var ledger = await StateOf(client, started.Id);
        Assert.Equal($"{Children * Bytes} bytes", ledger.Note);
        Assert.Equal(Range(0, Children), ledger.Entries);
        Assert.InRange(backend.Bytes, Bytes, Children * Bytes);
        await Quiescence();
    }

    [Fact]
    public async Task Handler_that_fails_on_results_that_were_read_gets_them_again()
    {
        var calls = 0;
        var parent = Workflow
            .Define<Ledger>("stumbling")
            .Children(
                "ask",
                Doubling,
                ledger => ledger.Entries.Select(i => new Ledger { Entries = [i] }),
                (ledger, results, _) =>
                {
                    if (Interlocked.Increment(ref calls) == 1)
                        throw new InvalidOperationException("Not yet.");
                    ledger.Entries = [.. results.SelectMany(result => result.State.Entries)];
                    return Next.Step;
                }
            )
            .Build();
        var host = await HostAsync(Quick with { MaxChildBytes = 0 }, parent, Doubling);

        var started = await host.Client.StartAsync(parent, new Ledger { Entries = [1, 2] }, cancellationToken: Token);

        await Completes(host.Client, started.Id);
        Assert.Equal([2, 4], await EntriesOf(host.Client, started.Id));
        await CountedAsync(host);
        Assert.Equal((2, 1), (calls, host.Counters.HandlerFailures));
    }

    [Fact]
    public async Task Purge_leaves_closed_children_to_a_parent_that_is_open()
    {
        var parent = Seam.Instance(waits: WaitKinds.Child);
        var child = Seam.ChildOf(parent, waits: WaitKinds.None, status: InstanceStatus.Completed);
        var stranger = Seam.Closed();
        var report = Seam.Signal(parent.Id) with { Kind = SignalKind.ChildClosed };
        await Backend.SubmitAsync(Seam.Start(parent, report), Seam.Start(child), Seam.Start(stranger));

        await Eventually(async () => await Backend.PurgeAsync(TimeSpan.Zero, Token) == 1, "the other closed one is purged");
        Assert.Equal(0, await Backend.PurgeAsync(TimeSpan.Zero, Token));
        Assert.NotNull(await Backend.FindAsync(child.Id, Token));

        await Backend.ProcessAsync(10, Seam.Complete, Token);
        var purged = 0;
        await Eventually(async () => (purged += await Backend.PurgeAsync(TimeSpan.Zero, Token)) == 2, "both are purged");
        Assert.Null(await Backend.FindAsync(child.Id, Token));
    }

    [Fact]
    public async Task Child_that_closes_at_once_reports_all_the_same()
    {
        var instant = Workflow.Define<Ledger>("instant").Do("only", ledger => ledger.Entries.Add(1)).Build();
        var parent = FanOut(instant);
        var host = await HostAsync(parent, instant);

        var started = await host.Client.StartAsync(parent, new Ledger { Entries = [5, 6] }, cancellationToken: Token);

        await Completes(host.Client, started.Id);
        Assert.Equal([5, 1, 6, 1], await EntriesOf(host.Client, started.Id));
    }

    [Fact]
    public async Task Grandchildren_report_up_the_tree()
    {
        var middle = FanOut(Doubling, "middle");
        var top = FanOut(middle, "top");
        var host = await HostAsync(top, middle, Doubling);

        var started = await host.Client.StartAsync(top, new Ledger { Entries = [1, 2, 3] }, cancellationToken: Token);

        await Completes(host.Client, started.Id);
        Assert.Equal([2, 4, 6], await EntriesOf(host.Client, started.Id));
        Assert.Equal(7, (await Census()).Count(InstanceStatus.Completed));
    }

    [Fact]
    public async Task Continuation_starts_in_the_commit_that_completes_its_predecessor()
    {
        var next = Workflow.Define<Ledger>("next").WaitFor<int>("append", (ledger, number) => ledger.Entries.Add(number)).Build();
        var first = Workflow
            .Define<Ledger>("first")
            .WaitFor<int>("go", (ledger, number) => ledger.Entries.Add(number))
            .ContinueWith("hand-over", next, ledger => new Ledger { Entries = [.. ledger.Entries] })
            .Build();
        var (host, started) = await StartedAsync(first, next);

        await host.Client.SendAsync(started.Id, "go", 1);
        await CloseOf(host.Client, started.Id);
        var continued = (await host.Client.GetAsync<Ledger>(started.Id, Token))!.ContinuedAs!.Value;
        await host.Client.SendAsync(continued, "append", 2);

        await Completes(host.Client, continued);
        Assert.Equal([1, 2], await EntriesOf(host.Client, continued));
    }

    [Theory]
    [InlineData(65_536)]
    [InlineData(0)]
    public async Task Parent_gets_the_result_of_its_childs_last_continuation(int maxChildBytes)
    {
        var last = Workflow.Define<Ledger>("last").Delay("rest", FromMilliseconds(5)).Do("sign", ledger => ledger.Note = "last").Build();
        var second = Workflow.Define<Ledger>("second").ContinueWith("on", last, _ => new Ledger()).Build();
        var child = Workflow
            .Define<Ledger>("child")
            .Delay("rest", FromMilliseconds(5))
            .ContinueWith("on", second, _ => new Ledger())
            .Build();
        var parent = Workflow
            .Define<Ledger>("parent")
            .Child("ask", child, _ => new Ledger(), (ledger, result) => ledger.Note = result.Note)
            .Build();
        var (host, started) = await StartedAsync(Quick with { MaxChildBytes = maxChildBytes }, parent, child, second, last);

        await Completes(host.Client, started.Id);
        Assert.Equal("last", (await StateOf(host.Client, started.Id)).Note);
        await Quiescence();
    }

    private static WorkflowDefinition<Ledger> FanOut(WorkflowDefinition<Ledger> child, string name = "fan-out") =>
        Workflow
            .Define<Ledger>(name)
            .Children(
                "spread",
                child,
                ledger => ledger.Entries.Select(i => new Ledger { Entries = [i] }),
                (ledger, results, _) =>
                {
                    ledger.Entries = [.. results.SelectMany(result => result.State.Entries)];
                    return Next.Step;
                }
            )
            .Build();

    /// <summary>Adds up the states and progress that claims write of instances that have not closed.</summary>
    private sealed class WeighsUpdates(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        private long _bytes;

        public long Bytes => Interlocked.Read(ref _bytes);

        protected override void Decided(IReadOnlyList<Decision> decisions)
        {
            foreach (var instance in decisions.Select(decision => decision.Instance).OfType<InstanceRecord>())
                Interlocked.Add(ref _bytes, instance.State.Length + (instance.Progress?.Length ?? 0));
        }
    }

    private static Next Doubled(Ledger ledger)
    {
        ledger.Entries[0] *= 2;
        return Next.Step;
    }
}

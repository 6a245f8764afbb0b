namespace Serdica.Perf.Compliance;

/// <summary>Making the schema, housekeeping, hints.</summary>
public abstract class SchemaCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private readonly IBackendFixture _fixture = fixture;

    [Fact]
    public async Task Eight_processes_may_make_the_schema_at_the_same_moment()
    {
        await using var schema = await _fixture.CreateSchemaAsync(Token);
        var backends = Range(0, 8).Select(_ => schema.Connect()).ToList();

        await Task.WhenAll(backends.Select(backend => Task.Run(() => backend.InitializeAsync(Token), Token)));

        var instance = Seam.Instance();
        await backends[0].SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id));
        Assert.Equal(["go"], await backends[7].TakeAsync());
        foreach (var backend in backends)
            await backend.DisposeAsync();
    }

    [Fact]
    public async Task Making_the_schema_again_keeps_what_is_there()
    {
        var instance = await Backend.StartAsync();

        await Connect().InitializeAsync(Token);

        Assert.NotNull(await Backend.FindAsync(instance.Id, Token));
    }

    [Fact]
    public async Task Schemas_do_not_see_each_other()
    {
        await using var other = await _fixture.CreateSchemaAsync(Token);
        await using var backend = other.Connect();
        await backend.InitializeAsync(Token);
        await Backend.SubmitAsync(Seam.Start(Seam.Instance("mine")));

        Assert.Null(await backend.FindByKeyAsync("mine", Token));
        Assert.Equal(0, (await backend.TakeCensusAsync(Token)).Total);
    }

    [Fact]
    public async Task Housekeeping_changes_nothing_and_several_may_keep_house()
    {
        var instance = await Backend.StartAsync("go");

        await Task.WhenAll(Backend.MaintainAsync(Token), Connect().MaintainAsync(Token), Connect().MaintainAsync(Token));

        Assert.Equal(["go"], await Backend.TakeAsync());
    }

    /// <summary>Also while another waits on the same object for longer.</summary>
    [Fact]
    public async Task Waiting_for_work_ends_after_its_maximum_without_a_hint()
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var longer = Backend.WaitForWorkAsync(FromMinutes(5), end.Token);

        // To begin to listen counts as a hint.
        for (var wait = 0; wait < 3; wait++)
            await Backend.WaitForWorkAsync(FromMilliseconds(30), Token).InTime();
        await end.CancelAsync();
        await Record.ExceptionAsync(() => longer);
    }

    [Fact]
    public async Task Hint_of_another_process_ends_the_wait()
    {
        SkipWithoutHints();
        var listener = Connect();

        // The listener subscribes within its wait, so hints are repeated until one is heard. The first wait may end because it has
        // subscribed: what came before is lost. The second ends by a hint.
        for (var wait = 0; wait < 2; wait++)
        {
            var waiting = listener.WaitForWorkAsync(FromMinutes(5), Token);
            await Eventually(
                async () =>
                {
                    await Backend.NotifyWorkAsync(Token);
                    return waiting.IsCompleted;
                },
                "the hint is heard"
            );
            await waiting;
        }
    }

    [Fact]
    public async Task Where_one_process_is_elected_hints_come_to_it_alone_and_to_another_when_it_waits_no_longer()
    {
        SkipWithoutHints();
        await using var one = new Waiter(Connect());
        await using var other = new Waiter(Connect());
        if (Backend.IsFirst is null)
        {
            await HeardAsync(one, other, Backend.NotifyWorkAsync);
            await HeardAsync(one, other, Backend.NotifyAllAsync);
            return;
        }

        // To begin to listen counts as a hint.
        await Eventually(() => one.Heard > 0 && other.Heard > 0 && (one.IsFirst || other.IsFirst), "both listen, and one is elected");
        Assert.False(one.IsFirst && other.IsFirst);
        var (first, second) = one.IsFirst ? (one, other) : (other, one);
        for (var hint = 0; hint < 3; hint++)
            await HeardAsync(first, Backend.NotifyWorkAsync);
        Assert.Equal(1, second.Heard);
        await HeardAsync(
            second,
            async token =>
            {
                await Backend.StartAsync("late");
                await Backend.NotifyAllAsync(token);
            }
        );

        // Its backend lives on, and hears the hint.
        await first.DisposeAsync();
        var before = second.Heard;
        await Backend.NotifyWorkAsync(Token);
        await Eventually(() => second.Heard > before && second.IsFirst, "the second hears it instead, and is elected");
        Assert.False(first.IsFirst);
        before = second.Heard;
        await Backend.NotifyWorkAsync(Token);
        await Eventually(() => second.Heard > before, "the second hears hints now");
    }

    [Fact]
    public async Task When_the_process_that_hears_hints_ends_another_hears_them()
    {
        SkipWithoutHints();
        var ending = TestSchema.Connect();
        await ending.InitializeAsync(Token);
        await using var first = new Waiter(ending);
        await Eventually(() => ending.IsFirst != false, "the first is elected");
        await using var second = new Waiter(Connect());

        await ending.DisposeAsync();

        await Eventually(() => second.IsFirst || Backend.IsFirst is null, "the second is elected");
        await HeardAsync(second, Backend.NotifyWorkAsync);
    }

    [Fact]
    public async Task Work_that_a_full_host_leaves_is_taken_by_another_that_hears_no_hints()
    {
        SkipWithoutHints();
        using var running = new SemaphoreSlim(0);
        var mayEnd = new TaskCompletionSource();
        var definition = Workflow
            .Define<Ledger>("crowd")
            .Activity(
                "call",
                (_, context) =>
                {
                    running.Release();
                    return mayEnd.Task.WaitAsync(context.CancellationToken);
                },
                new ActivityOptions { Timeout = FromHours(1) }
            )
            .Build();

        // Nobody polls without a hint, nor because a lease has ended or a place has become free.
        var options = Quick with
        {
            Workers = 1,
            MaxActivities = 1,
            MaxPollInterval = FromMinutes(10),
            ActivityLease = FromHours(1),
            DirectSignals = false,
        };
        var backend = Connect();
        await HostAsync(backend, options, definition);
        await Eventually(() => backend.IsFirst != false, "the first host hears hints");
        await HostAsync(options, definition);
        var client = Client(definition);

        for (var activity = 0; activity < 2; activity++)
        {
            await client.StartAsync(definition);
            await running.WaitAsync(Token).InTime();
        }

        mayEnd.SetResult();
        await Quiescence();
    }

    [Fact]
    public async Task Hint_is_heard_by_all_who_wait_on_one_backend_object()
    {
        SkipWithoutHints();
        var listener = Connect();
        await using var listening = new Waiter(listener);
        await Eventually(
            async () =>
            {
                await Backend.NotifyWorkAsync(Token);
                return listening.Heard > 1;
            },
            "it listens"
        );
        await listening.DisposeAsync();

        // One that came while nobody waited is heard by the first who comes.
        await listener.WaitForWorkAsync(FromMilliseconds(50), Token);
        var waiting = Range(0, 3).Select(_ => listener.WaitForWorkAsync(FromMinutes(5), Token)).ToArray();
        await Backend.NotifyWorkAsync(Token);

        await Task.WhenAll(waiting).InTime();
    }

    [Fact]
    public async Task Waiting_for_work_can_be_cancelled()
    {
        using var cancelled = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var waiting = Backend.WaitForWorkAsync(FromMinutes(5), cancelled.Token);

        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.InTime());
    }

    /// <summary>Whoever waits in a loop would otherwise keep a processor busy, and the thread that ends the backend.</summary>
    [Fact]
    public async Task Waiting_for_work_of_a_disposed_backend_lasts()
    {
        var backend = Connect();
        await backend.InitializeAsync(Token);
        await using var waiter = new Waiter(backend);
        await Eventually(
            async () =>
            {
                await Backend.NotifyAllAsync(Token);
                return waiter.Heard > 0 || !Backend.Capabilities.CrossProcessHints;
            },
            "the waiter hears"
        );

        await backend.DisposeAsync().AsTask().InTime();

        using var cancelled = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var waiting = backend.WaitForWorkAsync(FromMinutes(5), cancelled.Token);
        Assert.False(waiting.IsCompleted);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.InTime());
    }

    private Task HeardAsync(Waiter one, Waiter other, Func<CancellationToken, Task> notifyAsync) =>
        Task.WhenAll(HeardAsync(one, notifyAsync), HeardAsync(other, notifyAsync));

    /// <summary>A hint may be lost, so it is repeated.</summary>
    private async Task HeardAsync(Waiter waiter, Func<CancellationToken, Task> notifyAsync)
    {
        var before = waiter.Heard;
        await Eventually(
            async () =>
            {
                await notifyAsync(Token);
                return waiter.Heard > before + 1;
            },
            "hints are heard"
        );
    }

    private void SkipWithoutHints() =>
        Assert.SkipUnless(Backend.Capabilities.CrossProcessHints, $"Backend '{Backend.Name}' hears of no other process.");
}

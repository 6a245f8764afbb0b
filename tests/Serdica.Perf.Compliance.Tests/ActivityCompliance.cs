namespace Serdica.Perf.Compliance;

/// <summary>Activities: results, retries, limits, failure for good, inline at the start.</summary>
public abstract class ActivityCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    /// <summary>Activities of a host that may block their threads at the same time.</summary>
    private const int MostBlocking = 16;

    private static readonly RetryPolicy Hasty = new() { MaxAttempts = 3, FirstDelay = FromMilliseconds(20), Jitter = 0 };

    [Fact]
    public async Task Result_of_an_activity_is_recorded_once()
    {
        var calls = 0;
        var definition = Workflow
            .Define<Ledger>("calling")
            .Activity("call", (_, _) => Task.FromResult(Interlocked.Increment(ref calls)), (ledger, number) => ledger.Entries.Add(number))
            .WaitFor<int>("end", (_, _) => { })
            .Build();
        var (host, started) = await StartedAsync(definition);
        await Eventually(async () => (await RecordOf(started.Id)).Step == "end", "the result is recorded");

        Assert.Equal(1, calls);
        Assert.Equal([1], await EntriesOf(host.Client, started.Id));
        await Quiescence();
    }

    [Fact]
    public async Task Instance_is_running_while_its_activity_runs_and_the_activity_sees_the_stored_state()
    {
        var entered = new TaskCompletionSource<(string? Note, ActivityContext Context)>();
        var mayEnd = new TaskCompletionSource();
        var definition = Workflow
            .Define<Ledger>("observed")
            .Do("prepare", ledger => ledger.Note = "prepared")
            .Activity(
                "call",
                async (ledger, context) =>
                {
                    entered.SetResult((ledger.Note, context));
                    ledger.Note = "lost: it is a copy";
                    await mayEnd.Task.WaitAsync(context.CancellationToken);
                }
            )
            .Build();
        var host = await HostAsync(definition);

        var started = await host.Client.StartAsync(definition, "key-1");
        var (note, context) = await entered.Task.WaitAsync(Token);
        var during = await RecordOf(started.Id);
        mayEnd.SetResult();
        await CloseOf(host.Client, started.Id);

        Assert.Equal("prepared", note);
        Assert.Equal((started.Id, "key-1", 1), (context.InstanceId, context.BusinessKey, context.Attempt));
        Assert.Equal((InstanceStatus.Running, WaitKinds.Activity), (during.Status, during.Waits));
        Assert.Equal("prepared", (await StateOf(host.Client, started.Id)).Note);
    }

    [Fact]
    public async Task Activity_that_fails_is_tried_again_after_its_pause_with_the_same_id()
    {
        var attempts = new List<(Guid Id, int Attempt, long At)>();
        var definition = Calling(
            new ActivityOptions { Retry = Hasty },
            context =>
            {
                attempts.Add((context.ActivityId, context.Attempt, Environment.TickCount64));
                return context.Attempt < 3 ? throw new TimeoutException("Not yet.") : 7;
            }
        );
        var (host, started) = await StartedAsync(definition);

        await Completes(host.Client, started.Id);
        Assert.Equal([1, 2, 3], attempts.Select(attempt => attempt.Attempt));
        Assert.Single(attempts.Select(attempt => attempt.Id).Distinct());
        Assert.True(attempts[1].At - attempts[0].At >= 15 && attempts[2].At - attempts[1].At >= 35, "It came back too early.");
        Assert.Equal((3, 2), (host.Counters.ActivityAttempts, host.Counters.ActivityFailures));
        await Quiescence();
    }

    [Fact]
    public async Task Activity_whose_attempts_are_used_up_faults_its_instance()
    {
        var definition = Calling(new ActivityOptions { Retry = Hasty }, _ => throw new TimeoutException("Never."));
        var (host, started) = await StartedAsync(definition);

        var record = await CloseOf(host.Client, started.Id);
        Assert.Equal(InstanceStatus.Faulted, record.Status);
        Assert.Contains("'call' failed for good in attempt 3: TimeoutException: Never.", record.Error);
        await Quiescence();
    }

    [Fact]
    public async Task Activity_whose_attempts_are_used_up_goes_the_way_of_its_failure_handler()
    {
        var definition = Workflow
            .Define<Ledger>("guarded")
            .Activity<int>(
                "call",
                (_, _) => throw new TimeoutException(new string('x', 5_000)),
                (_, _, _) => Next.Step,
                new ActivityOptions { Retry = Hasty },
                (ledger, failure, _) =>
                {
                    ledger.Note = failure.Error;
                    ledger.Entries.Add(failure.Attempts);
                    return Next.Step;
                }
            )
            .Build();
        var (host, started) = await StartedAsync(definition);

        await Completes(host.Client, started.Id);
        var state = await StateOf(host.Client, started.Id);
        Assert.Equal($"TimeoutException: {new string('x', 5_000)}"[..4_000], state.Note);
        Assert.Equal([3], state.Entries);
    }

    [Fact]
    public async Task Error_that_no_retry_can_mend_is_not_retried()
    {
        var calls = 0;
        var retry = Hasty with { IsFinal = error => error is ArgumentException };
        var definition = Calling(
            new ActivityOptions { Retry = retry },
            _ =>
            {
                calls++;
                throw new ArgumentException("Wrong for ever.");
            }
        );
        var (host, started) = await StartedAsync(definition);

        Assert.Contains("failed for good in attempt 1", (await CloseOf(host.Client, started.Id)).Error);
        Assert.Equal(1, calls);
    }

    [Fact]
    public async Task Attempt_over_its_time_limit_has_failed_whether_it_stops_or_not()
    {
        var told = new TaskCompletionSource();
        var release = new TaskCompletionSource();
        var options = new ActivityOptions { Retry = Hasty, Timeout = FromSeconds(1) };
        var definition = Workflow
            .Define<Ledger>("stuck")
            .Activity(
                "call",
                async (_, context) =>
                {
                    using var registration = context.CancellationToken.Register(() =>
                    {
                        told.TrySetResult();
                        release.Task.Wait(CancellationToken.None);
                    });
                    if (context.Attempt == 1)
                        await release.Task;
                    return context.Attempt;
                },
                (ledger, number) => ledger.Entries.Add(number),
                options
            )
            .Build();
        var (host, started) = await StartedAsync(definition);
        await CloseOf(host.Client, started.Id);
        await told.Task.InTime();
        release.SetResult();

        Assert.InRange(Assert.Single(await EntriesOf(host.Client, started.Id)), 2, 3);
    }

    [Fact]
    public async Task Attempt_that_blocks_its_thread_is_over_at_its_time_limit_too()
    {
        using var release = new ManualResetEventSlim();
        var options = new ActivityOptions { Retry = Hasty, Timeout = FromSeconds(1) };
        var definition = Calling(
            options,
            context =>
            {
                if (context.Attempt == 1)
                    release.Wait(CancellationToken.None);
                return context.Attempt;
            }
        );
        var (host, started) = await StartedAsync(definition);
        try
        {
            await CloseOf(host.Client, started.Id);
        }
        finally
        {
            release.Set();
        }

        Assert.InRange(Assert.Single(await EntriesOf(host.Client, started.Id)), 2, 3);
    }

    [Theory]
    [InlineData(1_000, null)]
    [InlineData(1_001, "failed for good in attempt 1: PayloadTooLargeException")]
    public async Task Result_may_fill_the_payload_limit_and_one_over_it_fails_for_good(int bytes, string? error)
    {
        var definition = Workflow
            .Define<Ledger>("verbose")
            .Activity("call", (_, _) => Task.FromResult(new string('x', bytes - 2)), (ledger, note) => ledger.Note = note)
            .Build();
        var (host, started) = await StartedAsync(Quick with { MaxPayloadBytes = 1_000 }, definition);

        var record = await CloseOf(host.Client, started.Id);
        Assert.Equal(error is null ? InstanceStatus.Completed : InstanceStatus.Faulted, record.Status);
        if (error is null)
            Assert.Null(record.Error);
        else
            Assert.Contains(error, record.Error);
    }

    [Fact]
    public async Task More_activities_than_places_all_run_and_never_more_at_once_than_allowed()
    {
        var running = 0;
        var counts = new ConcurrentBag<int>();
        var definition = Workflow
            .Define<Ledger>("crowd")
            .Activity(
                "call",
                async (_, context) =>
                {
                    counts.Add(Interlocked.Increment(ref running));
                    await Task.Delay(10, context.CancellationToken);
                    Interlocked.Decrement(ref running);
                }
            )
            .Build();
        var host = await HostAsync(Quick with { MaxActivities = 3 }, definition);

        var started = await StartAsync(host.Client, definition, 20);

        foreach (var instance in started)
            await Completes(host.Client, instance.Id);
        Assert.InRange(counts.Max(), 1, 3);
        Assert.Equal(20, host.Counters.ActivityAttempts);
        await Quiescence();
    }

    [Fact]
    public async Task Activities_that_block_their_threads_leave_others_to_the_engine()
    {
        var running = 0;
        var counts = new ConcurrentBag<int>();
        using var mayEnd = new ManualResetEventSlim();
        var definition = Workflow
            .Define<Ledger>("blocking")
            .Activity(
                "call",
                (_, context) =>
                {
                    counts.Add(Interlocked.Increment(ref running));
                    mayEnd.Wait(context.CancellationToken);
                    Interlocked.Decrement(ref running);
                    return Task.CompletedTask;
                }
            )
            .Build();
        var host = await HostAsync(definition, Definitions.Appending);
        var started = await StartAsync(host.Client, definition, 2 * MostBlocking);
        await Eventually(() => Volatile.Read(ref running) == MostBlocking, "as many block as may");
        var other = await host.Client.StartAsync(Definitions.Appending);
        await host.Client.SendAsync(other.Id, "append", Definitions.Last);
        await Completes(host.Client, other.Id);

        mayEnd.Set();

        foreach (var instance in started)
            await Completes(host.Client, instance.Id);
        Assert.Equal(MostBlocking, counts.Max());
        Assert.Equal(started.Length, host.Counters.ActivityAttempts);
    }

    [Fact]
    public async Task Code_that_never_ends_keeps_no_other_activity_waiting_when_its_time_is_over()
    {
        using var mayEnd = new ManualResetEventSlim();
        var definition = Workflow
            .Define<Ledger>("hanging")
            .Activity(
                "call",
                (_, _) =>
                {
                    mayEnd.Wait(CancellationToken.None);
                    return Task.CompletedTask;
                },
                new() { Retry = RetryPolicy.None, Timeout = FromMilliseconds(100) }
            )
            .Build();
        var host = await HostAsync(definition);
        var started = await StartAsync(host.Client, definition, MostBlocking + 1);

        try
        {
            foreach (var instance in started)
                Assert.Equal(InstanceStatus.Faulted, (await CloseOf(host.Client, instance.Id)).Status);
        }
        finally
        {
            mayEnd.Set();
        }
    }

    [Fact]
    public async Task Full_host_leaves_activities_alone_and_runs_them_when_a_place_becomes_free()
    {
        var running = 0;
        var mayEnd = new TaskCompletionSource();
        var definition = Waiting(mayEnd.Task, () => Interlocked.Increment(ref running));

        // One worker: the claim of another could have begun while the place was free.
        var options = Quick with { Workers = 1, MaxActivities = 1, MaxPollInterval = FromMilliseconds(20) };
        var host = await HostAsync(options, definition, Definitions.Appending);
        var client = Client(definition, Definitions.Appending);
        var first = await client.StartAsync(definition);
        await Eventually(() => Volatile.Read(ref running) == 1, "the only place is taken");
        var second = await client.StartAsync(definition);
        var other = await client.StartAsync(Definitions.Appending);
        await client.SendAsync(other.Id, "append", Definitions.Last);

        await Completes(client, other.Id);
        var polls = host.Counters.EmptyClaims;
        await Eventually(() => host.Counters.EmptyClaims > polls + 20, "the full host has polled often");
        var before = await RecordOf(second.Id);
        Assert.Equal((0L, before.CreatedAt), (before.Version, before.UpdatedAt));
        Assert.Equal(1, running);
        mayEnd.SetResult();

        await Completes(client, first.Id);
        await Completes(client, second.Id);
        await Quiescence();
    }

    [Fact]
    public async Task A_claim_of_more_activities_than_places_leaves_the_instances_of_the_others_as_they_were()
    {
        var running = 0;
        var mayEnd = new TaskCompletionSource();
        var definition = Waiting(mayEnd.Task, () => Interlocked.Increment(ref running));
        var started = await StartAsync(Client(definition), definition, 3);

        var host = await HostAsync(Quick with { Workers = 1, MaxActivities = 1 }, definition);
        await Eventually(() => Volatile.Read(ref running) == 1, "the only place is taken");
        if (Backend.Capabilities is { OneByOne: false, Parts: 1 })
            await Eventually(() => host.Counters.Deferred == 2, "the same claim took the others");

        var records = await Task.WhenAll(started.Select(instance => RecordOf(instance.Id)));
        Assert.Equal([0L, 0L, 1L], records.Select(record => record.Version).Order());
        mayEnd.SetResult();
        foreach (var instance in started)
            Assert.Equal((InstanceStatus.Completed, 2L), await EndOf(instance.Id));
        await Quiescence();

        async Task<(InstanceStatus, long)> EndOf(Guid id)
        {
            var record = await CloseOf(host.Client, id);
            return (record.Status, record.Version);
        }
    }

    [Fact]
    public async Task Inline_activity_runs_in_the_start_and_needs_no_host()
    {
        var attempts = 0;
        var options = new ActivityOptions { InlineAtStart = true, Retry = Hasty };
        var definition = Calling(options, _ => ++attempts < 2 ? throw new TimeoutException("Not yet.") : 7);

        var started = await Client(definition).StartAsync(definition);

        var record = await RecordOf(started.Id);
        Assert.Equal((InstanceStatus.Completed, 0L, 2), (record.Status, record.Version, attempts));
        Assert.Equal([7], (await StateOf(Client(definition), started.Id)).Entries);
    }

    [Fact]
    public async Task Inline_activity_that_fails_for_good_faults_the_new_instance()
    {
        var options = new ActivityOptions { InlineAtStart = true, Retry = RetryPolicy.None };
        var definition = Calling(options, _ => throw new TimeoutException("Never."));

        var started = await Client(definition).StartAsync(definition);

        var record = await RecordOf(started.Id);
        Assert.Equal(InstanceStatus.Faulted, record.Status);
        Assert.Contains("TimeoutException: Never.", record.Error);
    }

    private static WorkflowDefinition<Ledger> Waiting(Task end, Action begun) =>
        Workflow
            .Define<Ledger>("crowd")
            .Activity(
                "call",
                (_, context) =>
                {
                    begun();
                    return end.WaitAsync(context.CancellationToken);
                }
            )
            .Build();

    private static WorkflowDefinition<Ledger> Calling(ActivityOptions options, Func<ActivityContext, int> call) =>
        Workflow
            .Define<Ledger>("calling")
            .Activity("call", (_, context) => Task.FromResult(call(context)), (ledger, number) => ledger.Entries.Add(number), options)
            .Build();
}

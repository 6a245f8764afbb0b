namespace Serdica.Perf.Compliance;

/// <summary>Durable timers and waits with a time limit.</summary>
public abstract class TimerCompliance(IBackendFixture fixture) : WorkflowBackendCompliance(fixture)
{
    private static readonly TimeSpan Short = FromMilliseconds(80);

    [Fact]
    public async Task Timer_is_never_early_by_the_clock_of_the_database()
    {
        var definition = Sleeper(Short);
        var (host, started) = await StartedAsync(definition);

        var record = await CloseOf(host.Client, started.Id);
        var woken = (await StateOf(host.Client, started.Id)).Times[0];
        Assert.Equal((InstanceStatus.Completed, 1L), (record.Status, record.Version));
        Assert.True(woken - record.CreatedAt >= Short, $"It came after {woken - record.CreatedAt}.");
    }

    [Fact]
    public async Task Look_that_finds_nothing_always_tells_when_the_next_signal_is_due()
    {
        var instance = await Backend.StartAsync();

        // Looks go on while the signal becomes due, so that some fall just between "not yet" and "already".
        for (var round = 0; round < TestSchema.Rounds; round++)
        {
            await Backend.SubmitAsync(Seam.Publish(instance.Id, due: Due.After(FromMilliseconds(2))));
            var outcome = await Backend.ProcessAsync(10, Seam.Count, Token);
            while (outcome.Signals == 0)
            {
                Assert.NotNull(outcome.NextDue);
                outcome = await Backend.ProcessAsync(10, Seam.Count, Token);
            }
        }
    }

    [Fact]
    public async Task Timer_at_an_absolute_time_is_not_early()
    {
        var definition = Workflow
            .Define<Ledger>("until")
            .WaitFor<int>("go", (ledger, _, context) =>
            {
                ledger.Times.Add(context.Now);
                return Next.Step;
            })
            .Delay("sleep", (ledger, _) => Due.AtTime(ledger.Times[0] + Short))
            .Do("wake", (ledger, context) =>
            {
                ledger.Times.Add(context.Now);
                return Next.Step;
            })
            .Build();
        var (host, started) = await StartedAsync(definition);

        await host.Client.SendAsync(started.Id, "go", 0);

        await CloseOf(host.Client, started.Id);
        var times = (await StateOf(host.Client, started.Id)).Times;
        Assert.True(times[1] - times[0] >= Short, $"It came after {times[1] - times[0]}.");
    }

    [Fact]
    public async Task Stored_time_is_never_before_the_one_that_was_asked_for()
    {
        var instance = Seam.Instance();
        var asked = new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.Zero).AddTicks(7);
        await Backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id, due: Due.AtTime(asked)));

        var stored = (await ClaimAsync())[0].Due.At!.Value;

        Assert.InRange(stored, asked, asked.AddMilliseconds(1));
    }

    [Fact]
    public async Task Timer_that_ran_out_while_no_host_lived_fires_when_one_comes()
    {
        var definition = Sleeper(Short);
        var client = Client(definition);
        var started = await client.StartAsync(definition);
        await Eventually(async () => (await Census()).SignalsDue == 1, "the timer is due");

        await HostAsync(definition);

        await Completes(client, started.Id);
    }

    [Fact]
    public async Task Hundred_timers_all_fire_once()
    {
        var definition = Sleeper(Short);
        var one = await HostAsync(definition);
        await HostAsync(definition);

        var started = await StartAsync(one.Client, definition, 100);

        foreach (var instance in started)
        {
            Assert.Equal(1, (await CloseOf(one.Client, instance.Id)).Version);
            Assert.Single((await StateOf(one.Client, instance.Id)).Times);
        }

        await Quiescence();
    }

    [Fact]
    public async Task Wait_that_times_out_goes_the_other_way()
    {
        var definition = Impatient(Short);
        var (host, started) = await StartedAsync(definition);

        await Eventually(async () => (await RecordOf(started.Id)).Step == "end", "the wait has timed out");

        Assert.Equal("timed out", (await StateOf(host.Client, started.Id)).Note);
    }

    [Fact]
    public async Task Signal_in_time_withdraws_the_timer()
    {
        var definition = Impatient(FromMinutes(5));
        var (host, started) = await StartedAsync(definition);

        await host.Client.SendAsync(started.Id, "answer", "yes");
        await Eventually(async () => (await RecordOf(started.Id)).Step == "end", "the answer is taken");

        Assert.Equal("yes", (await StateOf(host.Client, started.Id)).Note);
        Assert.Equal(0, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Signal_that_was_there_before_the_wait_leaves_no_timer_behind()
    {
        var definition = Workflow
            .Define<Ledger>("early")
            .WaitFor<int>("begin", (_, _) => { })
            .WaitFor<string>(
                "answer",
                (ledger, note, _) =>
                {
                    ledger.Note = note;
                    return Next.Step;
                },
                timeout: FromMinutes(5),
                onTimeout: (_, _) => Next.Fault("Too late.")
            )
            .WaitFor<int>("end", (_, _) => { })
            .Build();
        var (host, started) = await StartedAsync(definition);

        await host.Client.SendAsync(started.Id, "answer", "early");
        await host.Client.SendAsync(started.Id, "begin", 0);
        await Eventually(async () => (await RecordOf(started.Id)).Step == "end", "the early answer is taken");

        Assert.Equal("early", (await StateOf(host.Client, started.Id)).Note);
        Assert.Equal(0, (await Census()).SignalsLater);
    }

    [Fact]
    public async Task Timer_that_is_due_together_with_the_answer_counts_no_more()
    {
        var definition = Impatient(FromMilliseconds(1));
        var client = Client(definition);
        var started = await client.StartAsync(definition);
        await client.SendAsync(started.Id, "answer", "yes");
        await Eventually(async () => (await Census()).SignalsDue == 2, "timer and answer are due");

        await HostAsync(definition);
        await Eventually(async () => await VersionOf(started.Id) == 2, "both are handled");

        var read = (await client.GetAsync<Ledger>(started.Id, Token))!;
        Assert.Equal("end", read.Record.Step);
        Assert.Contains(read.State.Note, new[] { "yes", "timed out" });
    }

    [Fact]
    public async Task Timer_at_a_time_that_was_never_set_is_due_now()
    {
        var definition = Workflow.Define<Ledger>("unset").Delay("sleep", (_, _) => Due.AtTime(default)).Build();
        var (host, started) = await StartedAsync(definition);

        await Completes(host.Client, started.Id);
        await Quiescence();
    }

    [Theory]
    [InlineData(null)]
    [InlineData(365 * TimeSpan.TicksPerDay)]
    [InlineData(long.MaxValue)]
    public async Task Timer_of_a_year_or_at_the_end_of_time_disturbs_nobody(long? ticks)
    {
        var definition = Workflow
            .Define<Ledger>("eternal")
            .Delay("sleep", (_, _) => ticks is { } after ? Due.After(FromTicks(after)) : Due.AtTime(DateTimeOffset.MaxValue))
            .Build();
        var host = await HostAsync(definition, Definitions.Approval);

        var sleeping = await host.Client.StartAsync(definition);
        var outcome = await Backend.ProcessAsync(10, Seam.Count, Token);
        var awake = await host.Client.StartAsync(Definitions.Approval);
        await host.Client.SendAsync(awake.Id, "approve", "yes");

        await Completes(host.Client, awake.Id);
        Assert.Equal("sleep", (await RecordOf(sleeping.Id)).Step);
        Assert.Equal((1, 0), ((await Census()).SignalsLater, host.Counters.BackendFailures));
        Assert.Equal(0, outcome.Signals);
    }

    private async Task<IReadOnlyList<Signal>> ClaimAsync()
    {
        List<Signal> claimed = [];
        await Backend.ProcessAsync(
            10,
            Seam.CountAfter(batch => claimed = [.. batch.Instances.SelectMany(instance => instance.Signals)]),
            Token
        );
        return claimed;
    }

    private static WorkflowDefinition<Ledger> Sleeper(TimeSpan delay) =>
        Workflow
            .Define<Ledger>("sleeper")
            .Delay("sleep", delay)
            .Do("wake", (ledger, context) =>
            {
                ledger.Times.Add(context.Now);
                return Next.Step;
            })
            .Build();

    [Fact]
    public async Task Time_limit_ends_a_step_whose_handler_waits_for_its_next_attempt()
    {
        var definition = Workflow
            .Define<Ledger>("troubled")
            .WaitFor<string>(
                "answer",
                (_, _, _) => throw new InvalidOperationException("Not understood."),
                timeout: FromMilliseconds(300),
                onTimeout: (ledger, _) =>
                {
                    ledger.Note = "timed out";
                    return Next.Complete;
                }
            )
            .Build();
        var host = await HostAsync(
            Quick with
            {
                SignalRetry = new()
                {
                    MaxAttempts = 5,
                    FirstDelay = FromHours(1),
                    MaxDelay = FromHours(1),
                },
            },
            definition
        );
        var started = await host.Client.StartAsync(definition);

        await host.Client.SendAsync(started.Id, "answer", "poison");
        await Eventually(async () => await StatusOf(started.Id) == InstanceStatus.Completed, "the time limit is kept");

        Assert.Equal("timed out", (await StateOf(host.Client, started.Id)).Note);
    }

    private static WorkflowDefinition<Ledger> Impatient(TimeSpan timeout) =>
        Workflow
            .Define<Ledger>("impatient")
            .WaitFor<string>(
                "answer",
                (ledger, note, _) =>
                {
                    ledger.Note = note;
                    return Next.Step;
                },
                timeout: timeout,
                onTimeout: (ledger, _) =>
                {
                    ledger.Note = "timed out";
                    return Next.Step;
                }
            )
            .WaitFor<int>("end", (_, _) => { })
            .Build();
}

using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Serdica.Perf.Workflows.Tests;

public sealed class HostingTests
{
    [Fact]
    public async Task Generic_host_runs_workflows_and_stops_without_complaint()
    {
        var definition = Workflow.Define<Tally>("hosted").WaitFor<int>("go", (tally, number) => tally.Numbers.Add(number)).Build();
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddSingleton<IWorkflowBackend>(new InMemoryWorkflowBackend());
        builder.Services.AddSingleton<WorkflowDefinition>(definition);
        builder.Services.AddWorkflows(new WorkflowOptions { Workers = 1 });

        using (var application = builder.Build())
        {
            await application.StartAsync(Token);
            var client = application.Services.GetRequiredService<WorkflowClient>();
            var started = await client.StartAsync("hosted", new Tally(), cancellationToken: Token);
            await client.SignalAsync(started.Id, "go", 5, cancellationToken: Token);
            Assert.Equal(InstanceStatus.Completed, (await client.WaitForCloseAsync(started.Id, Token)).Status);
            await application.StopAsync(Token);
        }
    }

    /// <summary>A handler or an activity may run in the commit of any caller.</summary>
    [Fact]
    public async Task Handlers_and_activities_do_not_see_the_context_of_a_caller()
    {
        var tenant = new AsyncLocal<string?>();
        var seen = new System.Collections.Concurrent.ConcurrentBag<string?>();
        var definition = Workflow
            .Define<Tally>("tenants")
            .WaitFor<int>("go", (_, _) => seen.Add(tenant.Value))
            .Activity(
                "call",
                (_, _) =>
                {
                    seen.Add(tenant.Value);
                    return Task.CompletedTask;
                }
            )
            .Build();
        var registry = new WorkflowRegistry([definition]);
        await using var host = new WorkflowHost(new InMemoryWorkflowBackend(), registry, new WorkflowOptions { Workers = 1 });
        await host.StartAsync(Token);

        tenant.Value = "a caller's";
        foreach (var _ in Range(0, 10))
        {
            var started = await StartAsync(host.Client, definition);
            await host.Client.SignalAsync(started.Id, "go", 1, cancellationToken: Token);
            await host.Client.WaitForCloseAsync(started.Id, Token);
        }

        Assert.Equal(20, seen.Count);
        Assert.All(seen, Assert.Null);
    }

    [Fact]
    public async Task Timer_under_a_manual_clock_fires_exactly_when_the_clock_gets_there()
    {
        var time = new ManualTimeProvider();
        var definition = Workflow.Define<Tally>("timed").Delay("sleep", FromHours(3)).Build();
        var backend = new InMemoryWorkflowBackend(time);
        await using var client = new WorkflowClient(backend, new([definition]), time: time);
        await StartAsync(client, definition);

        time.Advance(FromHours(3) - FromTicks(1));
        Assert.Equal(0, (await backend.TakeCensusAsync(Token)).SignalsDue);
        time.Advance(FromTicks(1));

        Assert.Equal(1, (await backend.TakeCensusAsync(Token)).SignalsDue);
    }

    [Fact]
    public async Task Step_that_waits_for_nothing_cannot_stay()
    {
        var child = Workflow.Define<Tally>("child").Do("only", _ => { }).Build();
        var failing = new ActivityOptions { Retry = RetryPolicy.None };
        WorkflowDefinition<Tally>[] definitions =
        [
            Workflow.Define<Tally>("result").Activity<int>("call", (_, _) => Task.FromResult(1), (_, _, _) => Next.Stay).Build(),
            Workflow
                .Define<Tally>("failure")
                .Activity("call", (_, _) => throw new FormatException(), failing, onFailure: (_, _, _) => Next.Stay)
                .Build(),
            Workflow.Define<Tally>("family").Children("ask", child, _ => [new Tally()], (_, _, _) => Next.Stay).Build(),
        ];
        await using var host = new WorkflowHost(
            new InMemoryWorkflowBackend(),
            new WorkflowRegistry([child, .. definitions]),
            new WorkflowOptions { SignalRetry = RetryPolicy.None }
        );
        await host.StartAsync(Token);

        foreach (var definition in definitions)
        {
            var started = await StartAsync(host.Client, definition);
            var record = await CloseOf(host.Client, started);
            Assert.Contains("answered Next.Stay", record.Error);
        }

        var stays = Workflow.Define<Tally>("code").Do("check", (_, _) => Next.Stay).Build();
        await using var client = new WorkflowClient(new InMemoryWorkflowBackend(), new([stays]));
        var refused = await Assert.ThrowsAsync<InvalidOperationException>(() => StartAsync(client, stays));
        Assert.Contains("'check' answered Next.Stay", refused.Message);
    }

    [Theory]
    [InlineData(1, false, 1)]
    [InlineData(2, false, 2)]
    [InlineData(2, true, 1)]
    public async Task Inline_activity_is_tried_as_often_as_its_policy_says_and_not_after_its_end(int most, bool isFinal, int expected)
    {
        var attempts = 0;
        var retry = new RetryPolicy { MaxAttempts = most, FirstDelay = TimeSpan.Zero, IsFinal = _ => isFinal };
        var options = new ActivityOptions { InlineAtStart = true, Retry = retry };
        var definition = Workflow
            .Define<Tally>("inline")
            .Activity(
                "call",
                (_, context) =>
                {
                    context.CancellationToken.Register(static () => throw new FormatException("It is not to end."));
                    throw new FormatException($"Attempt {++attempts}.");
                },
                options
            )
            .Build();
        await using var client = new WorkflowClient(new InMemoryWorkflowBackend(), new([definition]));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            client.StartAsync(definition, new Tally(), cancellationToken: new(canceled: true))
        );
        var started = await StartAsync(client, definition);

        Assert.Contains($"Attempt {expected}.", (await client.WaitForCloseAsync(started.Id, Token)).Error);
        Assert.Equal(expected, attempts);
    }

    [Fact]
    public async Task Error_that_the_rule_of_final_errors_does_not_expect_is_reported_all_the_same()
    {
        var retry = RetryPolicy.None with { IsFinal = error => ((ArgumentException)error).ParamName is null };
        var definition = Workflow
            .Define<Tally>("unexpected")
            .Activity("call", (_, _) => throw new FormatException("Not a number."), new ActivityOptions { Retry = retry })
            .Build();
        await using var host = new WorkflowHost(new InMemoryWorkflowBackend(), new([definition]));
        await host.StartAsync(Token);

        var started = await StartAsync(host.Client, definition);

        var record = await CloseOf(host.Client, started);
        Assert.Contains("Not a number.", record.Error);
    }

    [Fact]
    public async Task Watch_outlives_another_callers_wait_for_the_same_instance()
    {
        var definition = Workflow.Define<Tally>("watched").WaitFor<int>("go", (_, _) => { }).Build();
        await using var host = new WorkflowHost(new InMemoryWorkflowBackend(), new([definition]));
        await host.StartAsync(Token);
        var started = await StartAsync(host.Client, definition);
        var watch = host.Client.WatchClose(started.Id);
        using var impatient = new CancellationTokenSource();
        var wait = host.Client.WaitForCloseAsync(started.Id, impatient.Token);
        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);

        await host.Client.SignalAsync(started.Id, "go", 1, cancellationToken: Token);

        Assert.Equal(InstanceStatus.Completed, (await watch.InTime()).Status);
    }

    /// <summary>The handler fails once, which is logged.</summary>
    [Fact]
    public async Task Host_outlives_a_logger_that_throws()
    {
        var tries = 0;
        var definition = Workflow
            .Define<Tally>("unlogged")
            .WaitFor<int>("go", (_, _) => _ = tries++ == 0 ? throw new FormatException("No.") : 1)
            .Build();
        await using var backend = new InMemoryWorkflowBackend();
        var options = new WorkflowOptions { DirectSignals = false };
        await using var host = new WorkflowHost(backend, new([definition]), options, new LogList<WorkflowHost> { Fails = true });
        await host.StartAsync(Token);
        var started = await StartAsync(host.Client, definition);

        await host.Client.SignalAsync(started.Id, "go", 1, cancellationToken: Token);

        await CloseOf(host.Client, started);
        await host.StopAsync(Token);
    }

    /// <summary>More activities than may enter at once.</summary>
    [Fact]
    public async Task Host_outlives_listeners_that_throw()
    {
        var isOurs = new AsyncLocal<bool> { Value = true };
        var begun = 0;
        void Throw(bool now = true) => _ = now && isOurs.Value ? throw new FormatException("No.") : 0;
        using var spans = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == WorkflowMetrics.Meter,
            Sample = (ref ActivityCreationOptions<System.Diagnostics.ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStarted = _ => Throw(++begun % 2 == 0),
            ActivityStopped = _ => Throw(),
        };
        ActivitySource.AddActivityListener(spans);
        using var metrics = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == WorkflowMetrics.Meter)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        metrics.SetMeasurementEventCallback<long>((_, _, _, _) => Throw());
        metrics.Start();
        var definition = Workflow.Define<Tally>("untold").Activity("work", (_, _) => Task.CompletedTask).Build();
        await using var host = new WorkflowHost(new InMemoryWorkflowBackend(), new([definition]), new() { DirectSignals = false });
        await host.StartAsync(Token);

        for (var i = 0; i < 40; i++)
            await CloseOf(host.Client, await StartAsync(host.Client, definition));

        Assert.Equal((40, 0), (host.Counters.ActivityAttempts, host.Counters.BackendFailures));
        Assert.Null(Activity.Current);
    }

    /// <summary>A container disposes of the client before the host.</summary>
    [Fact]
    public async Task Activity_that_ends_while_the_client_of_its_host_is_disposed_of_is_reported()
    {
        var end = new TaskCompletionSource();
        var definition = Workflow.Define<Tally>("drained").Activity("work", (_, _) => end.Task).Build();
        await using var backend = new InMemoryWorkflowBackend();
        var log = new LogList<WorkflowHost>();
        await using var host = new WorkflowHost(backend, new([definition]), logger: log);
        await host.StartAsync(Token);
        var started = await StartAsync(host.Client, definition);
        await HangGuard.UntilAsync(() => host.Counters.ActivityAttempts > 0, () => "the activity has not begun");

        // Others stop it at the same time, and it stops once.
        var disposing = Task.WhenAll([host.Client.DisposeAsync().AsTask(), .. Repeat(host, 3).Select(Stop)]);
        end.SetResult();
        await disposing;
        await host.DisposeAsync();
        Assert.Single(log.Lines, line => line.StartsWith("Workflow host stopped: ", Ordinal));

        await using var other = new WorkflowHost(backend, new([definition]));
        await other.StartAsync(Token);
        await CloseOf(other.Client, started);
        Assert.Equal(0, other.Counters.ActivityAttempts);
    }

    private static Task Stop(WorkflowHost host) => Task.Run(() => host.StopAsync(Token));

    private static Task<StartedInstance> StartAsync(WorkflowClient client, WorkflowDefinition<Tally> definition) =>
        client.StartAsync(definition, new Tally(), cancellationToken: Token);

    private static Task<InstanceRecord> CloseOf(WorkflowClient client, StartedInstance started) =>
        client.WaitForCloseAsync(started.Id, Token).InTime();
}

using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Serdica.Perf.Workflows.Tests;

public sealed class HostingTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

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

    [Fact]
    public async Task Timer_under_a_manual_clock_fires_exactly_when_the_clock_gets_there()
    {
        var time = new ManualTimeProvider();
        var definition = Workflow.Define<Tally>("timed").Delay("sleep", TimeSpan.FromHours(3)).Build();
        var backend = new InMemoryWorkflowBackend(time);
        await using var client = new WorkflowClient(backend, new WorkflowRegistry([definition]), time: time);
        await client.StartAsync(definition, new Tally(), cancellationToken: Token);

        time.Advance(TimeSpan.FromHours(3) - TimeSpan.FromTicks(1));
        Assert.Equal(0, (await backend.TakeCensusAsync(Token)).SignalsDue);
        time.Advance(TimeSpan.FromTicks(1));

        Assert.Equal(1, (await backend.TakeCensusAsync(Token)).SignalsDue);
    }

    [Fact]
    public async Task Watch_outlives_another_callers_wait_for_the_same_instance()
    {
        var definition = Workflow.Define<Tally>("watched").WaitFor<int>("go", (_, _) => { }).Build();
        await using var host = new WorkflowHost(new InMemoryWorkflowBackend(), new WorkflowRegistry([definition]));
        await host.StartAsync(Token);
        var started = await host.Client.StartAsync(definition, new Tally(), cancellationToken: Token);
        var watch = host.Client.WatchClose(started.Id);
        using var impatient = new CancellationTokenSource();
        var wait = host.Client.WaitForCloseAsync(started.Id, impatient.Token);
        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);

        await host.Client.SignalAsync(started.Id, "go", 1, cancellationToken: Token);

        Assert.Equal(InstanceStatus.Completed, (await watch.WaitAsync(HangGuard.Limit, Token)).Status);
    }
}

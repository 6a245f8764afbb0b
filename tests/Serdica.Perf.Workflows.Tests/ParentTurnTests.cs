namespace Serdica.Perf.Workflows.Tests;

public sealed class ParentTurnTests
{
    private static readonly WorkflowOptions Options = new() { DecideTimeout = FromSeconds(8), Workers = 1 };

    private readonly ManualTimeProvider _clock = new();

    /// <summary>Both share the limit, and a parent must not pay for the time that its child has used.</summary>
    [Theory]
    [InlineData(3, true)]
    [InlineData(5, false)]
    public async Task Parent_is_left_to_the_workers_when_its_child_has_used_half_of_the_time(int seconds, bool isDecided)
    {
        var child = Guid.Empty;
        var slow = Workflow
            .Define<Tally>("slow")
            .Do("enter", (_, context) =>
            {
                child = context.InstanceId;
                return Next.Step;
            })
            .WaitFor<int>("go", (_, _) => _clock.Advance(FromSeconds(seconds)))
            .Build();
        var parent = Workflow.Define<Tally>("parent").Child("ask", slow, _ => new Tally(), (_, _) => { }).Build();
        await using var backend = new InMemoryWorkflowBackend(_clock);
        await using var host = new WorkflowHost(backend, new([parent, slow]), Options, time: _clock);
        await host.StartAsync(Token);
        var started = await host.Client.StartAsync(parent, new Tally(), cancellationToken: Token);
        var closed = host.Client.WatchClose(started.Id);

        await host.Client.SignalAsync(child, "go", 1, cancellationToken: Token);

        await closed.InTime();
        await host.StopAsync(Token);
        Assert.Equal((2L, isDecided ? 2L : 1L), (host.Counters.Signals, host.Counters.DirectSignals));
        Assert.Equal(0, host.Counters.BackendFailures);
    }
}

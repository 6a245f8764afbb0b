namespace Serdica.Perf.Workflows.Tests;

/// <summary>No delay or time that a caller can write overflows; those that no backend can store are cut.</summary>
public sealed class DelayTests
{
    private static readonly DateTimeOffset Now = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Time_that_was_never_set_is_now()
    {
        Assert.True(Due.AtTime(default).IsNow);
        Assert.Equal(Due.Now, Due.AtTime(DateTimeOffset.MinValue));
    }

    [Fact]
    public void Absolute_time_is_cut_to_what_every_backend_can_store()
    {
        Assert.Equal(9999, Due.AtTime(DateTimeOffset.MaxValue).At!.Value.Year);
        Assert.Equal(1970, Due.AtTime(DateTimeOffset.MinValue.AddTicks(1)).At!.Value.Year);
        Assert.Equal(Now, Due.AtTime(Now).At);
    }

    [Fact]
    public void Longest_delay_can_be_added_to_any_clock()
    {
        Assert.Equal(FromDays(36_500), Due.After(TimeSpan.MaxValue).Delay);
        Assert.Equal(Now.AddDays(36_500), Due.After(TimeSpan.MaxValue).Resolve(Now));
        Assert.Equal(TimeSpan.Zero, Due.After(TimeSpan.MinValue).Delay);
    }

    [Theory]
    [InlineData(0, 1e300)]
    [InlineData(1, 2)]
    [InlineData(long.MaxValue, 2)]
    public void Pause_of_a_retry_never_overflows(long firstDelay, double factor)
    {
        var policy = new RetryPolicy
        {
            MaxAttempts = int.MaxValue,
            FirstDelay = FromTicks(firstDelay),
            MaxDelay = TimeSpan.MaxValue,
            Factor = factor,
            Jitter = 1,
        };
        policy.Validate("test");

        foreach (var attempt in new[] { 1, 2, 60, int.MaxValue })
            Assert.InRange(policy.DelayAfter(attempt, 1), TimeSpan.Zero, FromDays(36_500));
    }

    [Fact]
    public async Task Host_runs_and_stops_with_the_longest_times_there_are()
    {
        var options = new WorkflowOptions
        {
            ActivityLease = TimeSpan.MaxValue,
            DecideTimeout = TimeSpan.MaxValue,
            UnknownDefinitionDelay = TimeSpan.MaxValue,
            MaxPollInterval = TimeSpan.MaxValue,
            DrainTimeout = TimeSpan.MaxValue,
            SubmitPatience = TimeSpan.MaxValue,
            SubmitTimeout = TimeSpan.MaxValue,
        };
        Assert.Equal(FromDays(30), new WorkflowOptions { Linger = TimeSpan.MaxValue }.Linger);
        var definition = Workflow
            .Define<Tally>("long")
            .Activity("call", (_, _) => Task.FromResult(1), (tally, number) => tally.Numbers.Add(number))
            .Build();
        await using var backend = new InMemoryWorkflowBackend();
        await using var host = new WorkflowHost(backend, new([definition]), options);
        await host.StartAsync(Token);

        var started = await host.Client.StartAsync(definition, new Tally(), cancellationToken: Token);
        var record = await host.Client.WaitForCloseAsync(started.Id, Token);
        await host.StopAsync(Token);

        Assert.Equal((InstanceStatus.Completed, 0L), (record.Status, host.Counters.BackendFailures));
        Assert.Equal(0, await host.Client.PurgeAsync(TimeSpan.MaxValue, Token));
    }
}

namespace Serdica.Perf.Measurement.Tests.Queues;

public sealed class QueueResultsTests
{
    [Theory]
    [InlineData(10, 109, "the writers and what they wait for")]
    [InlineData(11, 109, "the readers")]
    [InlineData(11, 110, "the writers and what they wait for")]
    public async Task Readers_are_the_limit_when_more_than_a_tenth_of_the_writes_waited_for_them(int waits, int writes, string limit)
    {
        var plan = new QueuePlan { MaxUnread = 0 };
        var load = new DrivenQueue(new(1_000, plan, []), plan, repeat: 1, new());
        for (var number = 0; number < waits; number++)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => load.Writes.LaunchAsync(0, new(canceled: true)).AsTask());
        for (var number = 0; number < writes; number++)
            load.Recorder.Complete(load.Recorder.Begin, load.Recorder.Begin);
        await using var reporter = new QueueReporter(load.Writes, load.Recorder, plan, _ => { });

        Assert.Equal(limit, QueueResults.Of(load, SampleRun.Serial, reporter, plan, "run", "").LimitedBy);
    }

    [Fact]
    public async Task Rates_are_over_the_time_until_the_last_number_was_used()
    {
        var plan = new QueuePlan();
        var load = new DrivenQueue(new(1, plan, [[]]), plan, repeat: 1, new());

        await load.RunAsync(Token);

        Assert.True(load.Driver.UsedUp);
        Assert.Equal(load.Recorder.ToLastCompletion, load.Window);
    }
}

namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class WaveLoadTests
{
    private static readonly LoadPlan Plan = new() { Model = LoadModel.Wave, Concurrency = 8 };

    [Fact]
    public async Task A_wave_begins_when_the_one_before_is_complete()
    {
        var gates = Range(0, 3).Select(_ => new CountdownEvent(4)).ToArray();
        var operations = new StubOperations(10, async operation =>
        {
            // All of a wave are under way before any of it ends; the last wave has two.
            await Task.Yield();
            gates[operation / 4].Signal();
            while (gates[operation / 4].CurrentCount > (operation < 8 ? 0 : 2))
                await Task.Delay(1);
        });

        var outcome = await new LoadRun(operations, Plan with { WaveSize = 4 }).RunAsync(Token);

        Assert.Equal(4, operations.MostInFlight);
        Assert.Equal((10, 10, 0, false), (outcome.Started, outcome.Completed, outcome.Failed, outcome.Stalled));
        Assert.Equal(10, outcome.StartTimestamps.Count);
        Assert.Equal(10, outcome.GeneratorLag.Count);
        Assert.True(outcome.StartTimestamps.Take(4).Max() < outcome.StartTimestamps.Skip(4).Min());
    }

    [Fact]
    public async Task Each_operation_is_launched_once_under_its_own_number()
    {
        var numbers = new ConcurrentBag<int>();
        var operations = new StubOperations(10, operation =>
        {
            numbers.Add(operation);
            return Task.CompletedTask;
        });

        await new LoadRun(operations, Plan with { WaveSize = 3 }).RunAsync(Token);

        Assert.Equal(Range(0, 10), numbers.Order());
    }

    [Fact]
    public async Task Latency_to_drain_runs_to_the_end_of_the_operations_own_wave_and_in_the_last_wave_to_the_end_of_the_drain()
    {
        var operations = new StubOperations(2, async _ => await Task.Yield());

        var load = new LoadRun(operations, Plan with { WaveSize = 1 });
        var outcome = await load.RunAsync(Token);
        var drainEnd = outcome.EndTimestamp + (3_600 * Stopwatch.Frequency / 2);
        var toDrain = load.ToDrain(drainEnd).Summarize();

        // The first waited for its own wave only, half an hour before the end of the drain.
        Assert.Equal(2, toDrain.Count);
        Assert.InRange(toDrain.MinMs!.Value, 0, 1_800_000 - 1);
        Assert.True(toDrain.MaxMs >= 1_800_000);
    }

    [Fact]
    public async Task No_wave_follows_one_that_stalls()
    {
        var never = new TaskCompletionSource();
        var operations = new StubOperations(9, operation => operation == 4 ? never.Task : Task.CompletedTask);

        var clock = new ManualClock();

        var outcome = await StalledLoad.RunAsync(new LoadRun(operations, Plan with { WaveSize = 3 }, clock), clock, completed: 5);

        Assert.True(outcome.Stalled);
        Assert.Equal((6, 5), (outcome.Started, outcome.Completed));
        Assert.Equal(6, operations.Launched);
    }
}

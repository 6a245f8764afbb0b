using System.Collections.Concurrent;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Tests.Load;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class WaveSequenceTests
{
    private static readonly LoadPlan Plan = new()
    {
        Model = LoadModel.Wave,
        Concurrency = 8,
        StallLimit = TimeSpan.FromMilliseconds(300),
    };

    [Fact]
    public async Task A_wave_begins_when_the_one_before_is_complete()
    {
        var gates = Enumerable.Range(0, 3).Select(_ => new CountdownEvent(4)).ToArray();
        var operations = new StubOperations(10, async operation =>
        {
            // All of a wave are under way before any of it ends; the last wave has two.
            await Task.Yield();
            gates[operation / 4].Signal();
            while (gates[operation / 4].CurrentCount > (operation < 8 ? 0 : 2))
                await Task.Delay(1);
        });

        var outcome = await new WaveSequence(operations, Plan, waveSize: 4)
            .RunAsync(_ => { }, TestContext.Current.CancellationToken);

        Assert.Equal(4, operations.MostInFlight);
        Assert.Equal((10, 10, 0, false), (outcome.Started, outcome.Completed, outcome.Failed, outcome.Stalled));
        Assert.Equal(10, outcome.StartTimestamps.Count);
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

        await new WaveSequence(operations, Plan, waveSize: 3).RunAsync(_ => { }, TestContext.Current.CancellationToken);

        Assert.Equal(Enumerable.Range(0, 10), numbers.Order());
    }

    [Fact]
    public async Task No_wave_follows_one_that_stalls()
    {
        var never = new TaskCompletionSource();
        var operations = new StubOperations(9, operation => operation == 4 ? never.Task : Task.CompletedTask);

        var outcome = await new WaveSequence(operations, Plan, waveSize: 3).RunAsync(_ => { }, TestContext.Current.CancellationToken);

        Assert.True(outcome.Stalled);
        Assert.Equal((6, 5), (outcome.Started, outcome.Completed));
        Assert.Equal(6, operations.Launched);
    }
}

using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Load;

public sealed class OpenLoadTests
{
    [Fact]
    public async Task Every_arrival_is_begun_once_and_timed_from_its_intended_start()
    {
        var operations = new StubOperations(200, async _ => await Task.Yield());

        var outcome = await RunAsync(operations, new() { Model = LoadModel.Open, Concurrency = 16, PerSecond = 2_000, DropAfter = TimeSpan.FromHours(1) });

        Assert.Equal((200, 200, 0, 0), (outcome.Started, outcome.Completed, outcome.Failed, outcome.Dropped));
        Assert.Equal(200, operations.Launched);
        Assert.Equal((200, 200, 200), (outcome.ServiceTime.Count, outcome.ResponseTime.Count, outcome.ScheduleLag!.Count));

        // No lag is negative: nothing begins before its time, and so the last arrival is a bound from below.
        Assert.Equal(0, outcome.ScheduleLag.OutOfRange);
        Assert.True(outcome.Window >= TimeSpan.FromSeconds(199 / 2_000.0), $"The window was {outcome.Window}.");
        Assert.True(outcome.ResponseTime.SumNanoseconds >= outcome.ServiceTime.SumNanoseconds);
    }

    [Fact]
    public async Task No_more_are_in_flight_than_there_are_callers()
    {
        var operations = new StubOperations(100, async _ => await Task.Delay(2));

        var outcome = await RunAsync(operations, new() { Model = LoadModel.Open, Concurrency = 3, PerSecond = 100_000 });

        Assert.Equal(100, outcome.Completed);
        Assert.InRange(operations.MostInFlight, 1, 3);
    }

    [Fact]
    public async Task What_waits_for_a_busy_caller_is_late_and_its_wait_is_in_the_response_time()
    {
        // One caller, whose first operation lasts until all others were due for 100 ms.
        var operations = new StubOperations(20, operation => operation == 0 ? Task.Delay(150) : Task.CompletedTask);

        var outcome = await RunAsync(operations, new() { Model = LoadModel.Open, Concurrency = 1, PerSecond = 1_000, DropAfter = TimeSpan.FromHours(1) });

        // The first may be late by itself, on a machine that is busy; all bounds are from below.
        Assert.Equal((20, 0), (outcome.Completed, outcome.Dropped));
        Assert.InRange(outcome.Late, 19, 20);
        Assert.True(outcome.ResponseTime.ValueAtPercentile(50) >= 100_000_000, "The wait is not in the response time.");
        Assert.True(outcome.ServiceTime.ValueAtPercentile(50) < outcome.ResponseTime.ValueAtPercentile(50));
    }

    [Fact]
    public async Task Arrivals_that_nobody_was_free_for_are_dropped_and_counted_and_the_rest_is_numbered_without_gap()
    {
        // One caller, whose first operation lasts until the next 199 arrivals are due for more than 500 ms.
        var numbers = new List<int>();
        var operations = new StubOperations(1_000, operation =>
        {
            numbers.Add(operation);
            return operation == 0 ? Task.Delay(700) : Task.CompletedTask;
        });

        var outcome = await RunAsync(
            operations, new() { Model = LoadModel.Open, Concurrency = 1, PerSecond = 1_000, DropAfter = TimeSpan.FromMilliseconds(500) });

        // On a machine that is busy more may be dropped, the first as well; all bounds are from below.
        Assert.False(outcome.Stalled);
        Assert.InRange(outcome.Dropped, 199, 1_000);
        Assert.Equal(1_000, outcome.Started + outcome.Dropped);
        Assert.Equal(Enumerable.Range(0, outcome.Started), numbers);
    }

    [Fact]
    public async Task Cancellation_ends_callers_that_wait_for_their_time()
    {
        using var cancel = new CancellationTokenSource();
        var operations = new StubOperations(1_000, async operation =>
        {
            if (operation == 0)
                await cancel.CancelAsync();
        });

        // At one arrival in 100 s the second would come after any patience.
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => new LoadRun(operations, new() { Model = LoadModel.Open, Concurrency = 4, PerSecond = 0.01 }).RunAsync(cancel.Token));

        Assert.Equal(1, operations.Launched);
    }

    private static Task<LoadOutcome> RunAsync(StubOperations operations, LoadPlan plan) =>
        new LoadRun(operations, plan).RunAsync(TestContext.Current.CancellationToken);
}

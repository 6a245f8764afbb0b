using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Load;

public sealed class LoadRunTests
{
    private static readonly TimeSpan ShortStall = TimeSpan.FromMilliseconds(300);

    private static async Task Yielding(int operation) => await Task.Yield();

    [Theory]
    [InlineData(LoadModel.Serial)]
    [InlineData(LoadModel.Wave)]
    [InlineData(LoadModel.Closed)]
    public async Task Every_operation_is_launched_once_and_timed_once(LoadModel model)
    {
        var operations = new StubOperations(500, Yielding);

        var outcome = await RunAsync(operations, model, concurrency: 8);

        Assert.Equal((500, 500, 0, false), (outcome.Started, outcome.Completed, outcome.Failed, outcome.Stalled));
        Assert.Equal(500, operations.Launched);
        Assert.Equal(500, outcome.ServiceTime.Count);
        Assert.Equal(500, outcome.Timeline.Snapshot(outcome.Window).Intervals.Sum(interval => interval.Count));
        Assert.All(outcome.StartTimestamps, start => Assert.NotEqual(0, start));
    }

    [Fact]
    public async Task Serial_load_has_one_operation_in_flight_whatever_the_concurrency()
    {
        var operations = new StubOperations(50, Yielding);

        await RunAsync(operations, LoadModel.Serial, concurrency: 8);

        Assert.Equal(1, operations.MostInFlight);
    }

    [Fact]
    public async Task Closed_load_never_has_more_in_flight_than_callers()
    {
        var operations = new StubOperations(500, Yielding);

        await RunAsync(operations, LoadModel.Closed, concurrency: 4);

        Assert.InRange(operations.MostInFlight, 1, 4);
    }

    [Fact]
    public async Task Wave_launches_everything_before_the_first_completion()
    {
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        StubOperations? operations = null;
        operations = new StubOperations(100, operation =>
        {
            if (operation == 99)
                gate.SetResult();
            return gate.Task;
        });

        var outcome = await RunAsync(operations, LoadModel.Wave, concurrency: 1);

        Assert.Equal(100, outcome.Completed);
        Assert.Equal(100, operations.MostInFlight);
    }

    [Fact]
    public async Task A_failed_operation_is_counted_with_its_error_and_has_no_latency()
    {
        var operations = new StubOperations(10, operation =>
            operation == 3 ? Task.FromException(new OperationFailedException("it went wrong")) : Task.CompletedTask);

        var outcome = await RunAsync(operations, LoadModel.Closed, concurrency: 2);

        Assert.Equal((9, 1), (outcome.Completed, outcome.Failed));
        Assert.Equal(9, outcome.ServiceTime.Count);
        Assert.Contains("it went wrong", Assert.Single(outcome.Errors), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(LoadModel.Wave)]
    [InlineData(LoadModel.Closed)]
    public async Task A_load_in_which_nothing_completes_any_more_is_given_up(LoadModel model)
    {
        var never = new TaskCompletionSource();
        var operations = new StubOperations(10, operation => operation == 5 ? never.Task : Task.CompletedTask);

        var outcome = await RunAsync(operations, model, concurrency: 2);

        Assert.True(outcome.Stalled);
        Assert.Equal((10, 9), (outcome.Started, outcome.Completed));
    }

    [Fact]
    public async Task Cancellation_stops_the_callers()
    {
        using var cancel = new CancellationTokenSource();
        var operations = new StubOperations(1_000_000, async operation =>
        {
            if (operation == 100)
                await cancel.CancelAsync();
            await Task.Yield();
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => new LoadRun(operations, Plan(LoadModel.Closed, 4)).RunAsync(cancel.Token));

        Assert.InRange(operations.Launched, 100, 999_999);
    }

    [Fact]
    public async Task A_time_limit_ends_the_load_with_what_was_begun()
    {
        var operations = new StubOperations(int.MaxValue / 1024, async _ => await Task.Delay(1, TestContext.Current.CancellationToken));

        var outcome = await new LoadRun(operations, Plan(LoadModel.Closed, 2) with { MaxDuration = TimeSpan.FromSeconds(1) })
            .RunAsync(TestContext.Current.CancellationToken);

        Assert.False(outcome.Stalled);
        Assert.InRange(outcome.Completed, 1, operations.Count - 1);
        Assert.Equal(outcome.Started, outcome.Completed);
    }

    private static Task<LoadOutcome> RunAsync(StubOperations operations, LoadModel model, int concurrency) =>
        new LoadRun(operations, Plan(model, concurrency)).RunAsync(TestContext.Current.CancellationToken);

    private static LoadPlan Plan(LoadModel model, int concurrency) =>
        new() { Model = model, Concurrency = concurrency, StallLimit = ShortStall };
}

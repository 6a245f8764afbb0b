namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class LoadRunTests
{
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
        Assert.Equal(500, outcome.GeneratorLag.Count);
        Assert.Equal((500, null), (outcome.Offered, outcome.Imbalance));
        Assert.Equal(500, outcome.Timeline.Snapshot(outcome.Window).Intervals.Sum(interval => interval.Count));
        EachItem.Holds(outcome.StartTimestamps, start => Assert.NotEqual(0, start));
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
        var gate = new TaskCompletionSource(RunContinuationsAsynchronously);
        var operations = new StubOperations(
            100,
            operation =>
            {
                if (operation == 99)
                    gate.SetResult();
                return gate.Task;
            }
        );

        var outcome = await RunAsync(operations, LoadModel.Wave, concurrency: 1);

        Assert.Equal(100, outcome.Completed);
        Assert.Equal(100, operations.MostInFlight);
    }

    [Fact]
    public async Task A_failed_operation_is_counted_with_its_error_and_has_no_latency()
    {
        var operations = new StubOperations(
            10,
            operation => operation == 3 ? Task.FromException(new OperationFailedException("it went wrong")) : Task.CompletedTask
        );

        var outcome = await RunAsync(operations, LoadModel.Closed, concurrency: 2);

        Assert.Equal((9, 1), (outcome.Completed, outcome.Failed));
        Assert.Equal(9, outcome.ServiceTime.Count);
        Assert.Contains("it went wrong", Assert.Single(outcome.Errors));
    }

    [Theory]
    [InlineData(LoadModel.Wave)]
    [InlineData(LoadModel.Closed)]
    public async Task A_load_in_which_nothing_completes_any_more_is_given_up(LoadModel model)
    {
        var never = new TaskCompletionSource();
        var operations = new StubOperations(10, operation => operation == 5 ? never.Task : Task.CompletedTask);
        var clock = new ManualClock();

        var outcome = await StalledLoad.RunAsync(new LoadRun(operations, Plan(model, 2), clock), clock, completed: 9);

        Assert.True(outcome.Stalled);
        Assert.Equal((10, 9), (outcome.Started, outcome.Completed));
    }

    /// <summary>Far more time passes than the limit, and each check that the load goes on sees another operation ended.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_load_whose_operations_end_goes_on_whether_they_fail_or_not(bool fails)
    {
        var clock = new EndingClock(fails);

        var outcome = await new LoadRun(new StubOperations(3, _ => clock.NextAsync()), Plan(LoadModel.Serial, 1), clock).RunAsync(Token);

        Assert.Equal((false, 3, fails ? 3 : 0), (outcome.Stalled, outcome.Started, outcome.Failed));
    }

    [Fact]
    public async Task Cancellation_stops_the_callers()
    {
        using var cancel = new CancellationTokenSource();
        var operations = new StubOperations(
            1_000_000,
            async operation =>
            {
                if (operation == 100)
                    await cancel.CancelAsync();
                await Task.Yield();
            }
        );

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            new LoadRun(operations, Plan(LoadModel.Closed, 4)).RunAsync(cancel.Token)
        );

        Assert.InRange(operations.Launched, 100, 999_999);
    }

    [Fact]
    public async Task A_failure_that_is_seen_after_the_load_was_given_up_is_in_no_count()
    {
        var late = new TaskCompletionSource(RunContinuationsAsynchronously);
        var operations = new StubOperations(10, operation => operation == 5 ? late.Task : Task.CompletedTask);
        var clock = new ManualClock();
        var load = new LoadRun(operations, Plan(LoadModel.Closed, 2), clock);

        var outcome = await StalledLoad.RunAsync(load, clock, completed: 9);
        late.SetException(new OperationFailedException("its host was stopped"));
        while (operations.Ended < 10)
            await Task.Yield();

        Assert.Equal((9, 0, 1), (outcome.Completed, outcome.Failed, outcome.Running));
        Assert.Equal((9, 0), (load.Recorder.Completed, load.Recorder.Failed));
    }

    [Fact]
    public async Task A_time_limit_ends_the_load_with_what_was_begun()
    {
        var operations = new StubOperations(int.MaxValue / 1024, async _ => await Task.Delay(1, Token));

        var outcome = await RunAsync(operations, Plan(LoadModel.Closed, 2) with { MaxDuration = FromSeconds(1) });

        Assert.False(outcome.Stalled);
        Assert.InRange(outcome.Completed, 1, operations.Count - 1);
        Assert.Equal(outcome.Started, outcome.Completed);
    }

    [Fact]
    public async Task No_more_are_in_flight_than_there_are_callers()
    {
        var operations = new StubOperations(100, async _ => await Task.Delay(2));

        var outcome = await RunAsync(operations, new() { Model = LoadModel.Open, Concurrency = 3, PerSecond = 100_000 });

        Assert.Equal(100, outcome.Completed);
        Assert.InRange(operations.MostInFlight, 1, 3);
    }

    /// <summary>Random intervals deviate as much as they last on average, and uniform ones do not deviate.</summary>
    [Theory]
    [InlineData(ArrivalPattern.Poisson, 0.7, 1.4)]
    [InlineData(ArrivalPattern.Uniform, 0.0, 0.01)]
    public async Task Arrivals_of_an_open_load_have_the_pattern_of_its_plan_which_is_random_by_default(
        ArrivalPattern pattern,
        double least,
        double most
    )
    {
        var operations = new StubOperations(400, _ => Task.CompletedTask);
        var plan = new LoadPlan { Model = LoadModel.Open, Concurrency = 4, PerSecond = 2_000, Seed = 1 };

        await RunAsync(operations, pattern == plan.Arrivals ? plan : plan with { Arrivals = pattern });

        var due = operations.Due.Order().ToArray();
        var intervals = due.Zip(due.Skip(1), (one, next) => (double)(next - one)).ToArray();
        var mean = intervals.Average();
        Assert.InRange(Math.Sqrt(intervals.Average(interval => (interval - mean) * (interval - mean))) / mean, least, most);
        Assert.Equal(ArrivalPattern.Poisson, plan.Arrivals);
    }

    private static LoadPlan OneCaller =>
        new() { Model = LoadModel.Open, Concurrency = 1, PerSecond = 1_000, Arrivals = ArrivalPattern.Uniform };

    [Fact]
    public async Task What_waits_for_a_busy_caller_is_late_and_its_wait_is_in_the_response_time()
    {
        // One caller, whose first operation lasts until all others were due for 100 ms.
        var operations = new StubOperations(20, operation => operation == 0 ? Task.Delay(150) : Task.CompletedTask);

        var outcome = await RunAsync(operations, OneCaller with { DropAfter = FromHours(1) });

        // Were it counted from the call, a slow operation would hide the waits behind it. All bounds are from below, since the
        // first may be late by itself on a machine that is busy.
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
        var operations = new StubOperations(
            1_000,
            operation =>
            {
                numbers.Add(operation);
                return operation == 0 ? Task.Delay(700) : Task.CompletedTask;
            }
        );

        var outcome = await RunAsync(operations, OneCaller with { DropAfter = FromMilliseconds(500) });

        // On a machine that is busy more may be dropped, the first as well; all bounds are from below.
        Assert.False(outcome.Stalled);
        Assert.InRange(outcome.Dropped, 199, 1_000);
        Assert.Equal(1_000, outcome.Started + outcome.Dropped);
        Assert.Equal(Range(0, outcome.Started), numbers);
    }

    [Fact]
    public async Task Cancellation_ends_callers_that_wait_for_their_time()
    {
        using var cancel = new CancellationTokenSource();
        var operations = new StubOperations(
            1_000,
            async operation =>
            {
                if (operation == 0)
                    await cancel.CancelAsync();
            }
        );

        // At one arrival in 100 s the second would come after any patience.
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            new LoadRun(operations, OneCaller with { Concurrency = 4, PerSecond = 0.01 }).RunAsync(cancel.Token)
        );

        Assert.Equal(1, operations.Launched);
    }

    private static Task<LoadOutcome> RunAsync(OperationSet operations, LoadPlan plan) => new LoadRun(operations, plan).RunAsync(Token);

    private static Task<LoadOutcome> RunAsync(StubOperations operations, LoadModel model, int concurrency) =>
        RunAsync(operations, Plan(model, concurrency));

    private static LoadPlan Plan(LoadModel model, int concurrency) => new() { Model = model, Concurrency = concurrency };

    /// <summary>While an operation runs, only the check for a stall reads it; then an hour passes, and the operation ends.</summary>
    private sealed class EndingClock(bool fails) : TimeProvider
    {
        private TaskCompletionSource? _running;
        private long _now;

        public Task NextAsync() => (_running = new()).Task;

        public override long GetTimestamp()
        {
            var now = _now;
            if (Interlocked.Exchange(ref _running, null) is { } running)
            {
                _now += 3_600 * Stopwatch.Frequency;
                running.SetFromTask(fails ? Task.FromException(new OperationFailedException("")) : Task.CompletedTask);
            }

            return now;
        }
    }
}

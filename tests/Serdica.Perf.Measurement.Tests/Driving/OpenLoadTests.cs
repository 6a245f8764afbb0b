namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class OpenLoadTests
{
    [Fact]
    public async Task Every_arrival_is_begun_once_and_counted_from_its_intended_start()
    {
        var operations = new StubOperations(400, async _ => await Task.Yield());

        var (recorder, load) = await RunAsync(operations, 1_000, FromSeconds(0.4));

        Assert.Equal((400, 400, 0, 0), (recorder.Started, recorder.Completed, recorder.Failed, recorder.Dropped));
        Assert.Equal(400, operations.Launched);
        Assert.False(load.GivenUp);
        Assert.Equal(400, load.Offered);
        Assert.Null(recorder.Outcome(load.Offered, FromSeconds(0.4), recorder.LastEnd).Imbalance);
        var (response, service, lag) = (recorder.Response.Snapshot(), recorder.Service.Snapshot(), recorder.ScheduleLag.Snapshot());
        Assert.Equal((400, 400, 400), (response.Count, service.Count, lag.Count));

        // Nothing begins before its time, and what waits is in the response time and not in the service time.
        Assert.Equal(0, lag.OutOfRange);
        Assert.True(response.SumNanoseconds >= service.SumNanoseconds);
        Assert.True(recorder.ToLastStart >= FromSeconds(0.399));
    }

    [Fact]
    public async Task Callers_are_added_as_they_are_needed_and_never_beyond_the_most()
    {
        var release = new TaskCompletionSource();
        var operations = new StubOperations(50, _ => release.Task);
        var recorder = new LoadRecorder();
        var load = Load(operations, 1_000, FromSeconds(0.05), recorder, callers: 7, new());

        var running = load.RunAsync(Token);
        while (operations.Launched < 7)
            await Task.Delay(1, Token);
        Assert.Equal((7, 7), (load.Callers, recorder.InFlight));
        release.SetResult();
        await running;
        await recorder.WhenIdleAsync();

        Assert.Equal((50, 7, 7), (recorder.Completed, operations.MostInFlight, load.Callers));
    }

    [Fact]
    public async Task Callers_that_were_never_busy_at_the_same_time_are_not_counted()
    {
        var recorder = new LoadRecorder();
        var load = Load(new StubOperations(1, _ => Task.CompletedTask), 1_000, FromSeconds(0.001), recorder, callers: 7, new());

        await load.RunAsync(Token);
        await recorder.WhenIdleAsync();

        Assert.Equal((1, 1), (recorder.Completed, load.Callers));
    }

    [Fact]
    public async Task Arrivals_that_wait_too_long_are_dropped_and_a_step_that_drops_many_is_given_up()
    {
        var release = new TaskCompletionSource();
        var operations = new StubOperations(1_000, _ => release.Task);
        var recorder = new LoadRecorder();
        var options = new DriverOptions { DropAfter = FromMilliseconds(30) };
        var load = Load(operations, 10_000, FromSeconds(0.1), recorder, callers: 1, options);

        await load.RunAsync(Token);
        release.SetResult();
        await recorder.WhenIdleAsync();

        Assert.True(load.GivenUp);
        Assert.Equal(1, recorder.Completed);
        Assert.InRange(recorder.Dropped, 101, 999);
    }

    /// <summary>The first arrival keeps the only caller busy, and each millisecond one of the others has waited too long.</summary>
    [Theory]
    [InlineData(2, 0.01, false)]
    [InlineData(3, 0.01, true)]
    [InlineData(11, 0.95, false)]
    [InlineData(11, 0.9, true)]
    public async Task It_is_given_up_beyond_one_dropped_arrival_and_beyond_its_share_of_all(int arrivals, double share, bool givenUp)
    {
        var clock = new ManualClock();
        var release = new TaskCompletionSource();
        var recorder = new LoadRecorder(clock);
        var options = new DriverOptions
        {
            DropAfter = FromMilliseconds(30),
            GiveUpShare = share,
            Pause = () => clock.Advance(FromMilliseconds(1)),
        };
        var load = Load(new StubOperations(arrivals, _ => release.Task), 1_000, FromSeconds(1), recorder, callers: 1, options);

        await load.RunAsync(Token);
        release.SetResult();
        await recorder.WhenIdleAsync();

        Assert.Equal((givenUp, arrivals - 1), (load.GivenUp, recorder.Dropped));
    }

    [Fact]
    public async Task A_generator_that_is_slow_is_seen_by_its_own_lag_and_still_begins_everything()
    {
        var clock = new ManualClock();
        var operations = new StubOperations(500, _ => Task.CompletedTask);
        var recorder = new LoadRecorder(clock);
        var options = new DriverOptions { Pause = () => clock.Advance(FromMilliseconds(150)) };
        var load = Load(operations, 1_000, FromSeconds(0.5), recorder, callers: 4_096, options);

        await load.RunAsync(Token);
        await recorder.WhenIdleAsync();

        // What it slept through is credited by the clock, and none is lost.
        Assert.Equal(500, recorder.Completed);
        Assert.True(recorder.GeneratorLag.Snapshot().ValueAtPercentile(50) > 20_000_000);
        Assert.True(recorder.Late > 250);
    }

    [Fact]
    public async Task What_waits_for_a_busy_caller_is_late_but_not_by_the_generators_fault()
    {
        var clock = new ManualClock();
        var release = new TaskCompletionSource(RunContinuationsAsynchronously);
        var operations = new StubOperations(20, operation => operation == 0 ? release.Task : Task.CompletedTask);
        var recorder = new LoadRecorder(clock);
        var load = Load(operations, 1_000, FromSeconds(0.02), recorder, callers: 1, new() { Pause = Pause });

        // Time begins with the first operation, and stands still when that is let go after 300 ms.
        void Pause()
        {
            if (clock.Elapsed >= FromMilliseconds(300))
                release.TrySetResult();
            else if (operations.Launched > 0)
                clock.Advance(FromMilliseconds(1));
            Thread.Yield();
        }

        await load.RunAsync(Token);
        await recorder.WhenIdleAsync();

        // Coordinated omission: the stalled operation has delayed the others, and each counts from its intended start.
        Assert.Equal((20, 19), (recorder.Completed, recorder.Late));
        Assert.InRange(recorder.Response.Snapshot().ValueAtPercentile(50)!.Value, 280_000_000, 300_000_000);
        Assert.Equal(0, recorder.GeneratorLag.Snapshot().SumNanoseconds);
    }

    [Fact]
    public async Task Errors_are_counted_by_operation_and_kind_and_the_first_is_kept()
    {
        var operations = new StubOperations(100, operation =>
            operation % 2 == 0
                ? Task.CompletedTask
                : throw new LoadOperationException("signal", new InvalidOperationException($"number {operation}"))
        );

        var (recorder, _) = await RunAsync(operations, 10_000, FromSeconds(0.01));

        Assert.Equal((50, 50), (recorder.Completed, recorder.Failed));
        var error = Assert.Single(recorder.Errors.Snapshot());
        Assert.Equal(("signal", nameof(InvalidOperationException), 50, false), (error.Operation, error.Kind, error.Count, error.IsRefusal));
        Assert.StartsWith("number ", error.FirstMessage);
    }

    private static async Task<(LoadRecorder Recorder, OpenLoad Load)> RunAsync(
        OperationSet operations,
        double perSecond,
        TimeSpan duration
    )
    {
        var recorder = new LoadRecorder();
        var load = Load(operations, perSecond, duration, recorder, callers: 4_096, new());
        await load.RunAsync(Token);
        await recorder.WhenIdleAsync();
        Assert.Equal(operations.Count, recorder.Started + recorder.Dropped);
        return (recorder, load);
    }

    private static OpenLoad Load(
        OperationSet operations,
        double perSecond,
        TimeSpan duration,
        LoadRecorder recorder,
        int callers,
        DriverOptions options
    ) => new(operations, new(recorder.Begin, perSecond, duration, operations.Count, ArrivalPattern.Uniform, 1), callers, recorder, options);
}

namespace Serdica.Perf.Measurement.Tests.Samples;

public sealed class SampleClockTests
{
    private static readonly TimeSpan Interval = FromMilliseconds(5);

    [Fact]
    public async Task Samples_are_taken_until_it_is_stopped_and_never_after()
    {
        var twentieth = new TaskCompletionSource();
        var taken = 0;
        var clock = new SampleClock(Take, Interval);
        var whole = Stopwatch.StartNew();
        clock.Start();
        await twentieth.Task.WaitAsync(HangGuard.Limit, Token);

        await clock.DisposeAsync();
        var atEnd = taken;
        await clock.DisposeAsync();

        // Each interval has a sample or was skipped; the timer may have fired a little early for the last.
        Assert.InRange(atEnd + clock.Skipped, 20, (whole.Elapsed / Interval) + 1);
        Assert.Equal((atEnd, atEnd, 0, null), (taken, clock.Taken, clock.Failed, clock.Error));

        Task Take(CancellationToken cancellationToken)
        {
            if (++taken == 20)
                twentieth.SetResult();
            return Task.CompletedTask;
        }
    }

    [Theory]
    [InlineData(11_999, 13)]
    [InlineData(12_000, 13)]
    [InlineData(12_999, 13)]
    [InlineData(13_000, 14)]
    [InlineData(20_500, 21)]
    public void No_interval_is_due_twice_not_even_when_the_timer_fired_early(int elapsedMs, int next) =>
        Assert.Equal(next, SampleClock.After(due: 12, FromMilliseconds(elapsedMs), FromSeconds(1)));

    [Fact]
    public async Task A_slow_sample_skips_others_and_there_are_never_two_at_once()
    {
        var again = new TaskCompletionSource();
        var (running, most, taken) = (0, 0, 0);
        var clock = new SampleClock(TakeAsync, Interval);
        clock.Start();
        await again.Task.WaitAsync(HangGuard.Limit, Token);
        await clock.DisposeAsync();

        Assert.Equal(1, most);
        Assert.InRange(clock.Skipped, 9, int.MaxValue);

        async Task TakeAsync(CancellationToken cancellationToken)
        {
            most = Math.Max(most, Interlocked.Increment(ref running));
            if (taken++ == 0)
                await Task.Delay(Interval * 10, cancellationToken);
            else
                again.TrySetResult();
            Interlocked.Decrement(ref running);
        }
    }

    [Fact]
    public async Task A_sample_that_fails_is_counted_and_the_next_is_taken()
    {
        var again = new TaskCompletionSource();
        var taken = 0;
        var clock = new SampleClock(Take, Interval);
        clock.Start();
        await again.Task.WaitAsync(HangGuard.Limit, Token);

        await clock.DisposeAsync();

        Assert.Equal((1, "The server went away."), (clock.Failed, clock.Error));
        Assert.InRange(clock.Taken, 1, int.MaxValue);

        Task Take(CancellationToken cancellationToken)
        {
            if (taken++ == 0)
                throw new InvalidOperationException("The server went away.");
            again.TrySetResult();
            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task The_end_waits_for_the_sample_under_way()
    {
        var begun = new TaskCompletionSource();
        var goOn = new TaskCompletionSource();
        var clock = new SampleClock(TakeAsync, Interval);
        clock.Start();
        await begun.Task.WaitAsync(HangGuard.Limit, Token);

        var end = clock.DisposeAsync().AsTask();
        Assert.False(end.IsCompleted);
        goOn.SetResult();
        await end.WaitAsync(HangGuard.Limit, Token);

        Assert.Equal((1, 0), (clock.Taken, clock.Failed));

        async Task TakeAsync(CancellationToken cancellationToken)
        {
            begun.TrySetResult();
            await goOn.Task;
        }
    }
}

namespace Serdica.Perf.Workflows.Tests;

/// <summary>No wake-up is lost: nothing else looks in these tests, there is no polling behind them.</summary>
public sealed class WorkHintsTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Work_that_is_added_during_an_empty_look_forbids_the_sleep()
    {
        await using var hints = NewHints(new ManualTimeProvider());

        var look = hints.BeginLook();
        hints.WorkAdded();
        hints.EndLook(found: false);

        Assert.Null(hints.TrySleep(look, found: false));
    }

    [Fact]
    public async Task After_an_empty_look_new_work_is_left_to_another_active_worker_with_help_when_it_takes_long()
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);
        var busy = hints.BeginLook();
        var idle = hints.BeginLook();
        hints.WorkAdded();
        hints.EndLook(found: false);

        var sleeper = hints.TrySleep(idle, found: false)!;
        time.Advance(TimeSpan.FromMilliseconds(9));
        Assert.False(sleeper.IsCompleted);
        time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.True(sleeper.IsCompleted);
        hints.EndLook(found: true);
        Assert.Null(hints.TrySleep(busy, found: true));
    }

    [Fact]
    public async Task Sleeper_is_woken_soon_when_a_look_may_have_passed_something_over()
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);
        var sleeper = Sleep(hints);

        hints.LookSoon();
        time.Advance(TimeSpan.FromMilliseconds(9));
        Assert.False(sleeper.IsCompleted);
        time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Of_two_empty_looks_that_missed_new_work_the_last_looks_again()
    {
        await using var hints = NewHints(new ManualTimeProvider());
        var first = hints.BeginLook();
        var second = hints.BeginLook();
        hints.WorkAdded();

        hints.EndLook(found: false);
        Assert.NotNull(hints.TrySleep(first, found: false));
        hints.EndLook(found: false);

        Assert.Null(hints.TrySleep(second, found: false));
    }

    [Fact]
    public async Task Hint_of_another_process_wakes_a_sleeper_unless_a_worker_is_active_which_looks_again()
    {
        await using var hints = NewHints(new ManualTimeProvider());
        var sleepers = new[] { Sleep(hints), Sleep(hints) };

        hints.WorkHinted();
        Assert.Equal(1, sleepers.Count(sleeper => sleeper.IsCompleted));
        var look = hints.BeginLook();
        hints.WorkHinted();

        Assert.Equal(1, sleepers.Count(sleeper => sleeper.IsCompleted));
        hints.EndLook(found: false);
        Assert.Null(hints.TrySleep(look, found: false));
    }

    [Fact]
    public async Task Sleeper_is_woken_by_work_and_only_once()
    {
        await using var hints = NewHints(new ManualTimeProvider());
        var sleepers = new[] { Sleep(hints), Sleep(hints) };

        hints.WorkAdded();

        Assert.Equal(1, sleepers.Count(sleeper => sleeper.IsCompleted));
    }

    [Fact]
    public async Task Timer_that_an_empty_look_has_set_is_followed_by_another_look_for_what_lies_behind_it()
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);
        var early = hints.BeginLook();
        hints.WorkDueIn(TimeSpan.FromMilliseconds(2));
        hints.EndLook(found: false);
        var sleeper = hints.TrySleep(early, found: false)!;
        time.Advance(TimeSpan.FromMilliseconds(2));
        Assert.True(sleeper.IsCompleted);

        var look = hints.BeginLook();
        hints.EndLook(found: true);

        Assert.Null(hints.TrySleep(look, found: true));
    }

    [Theory]
    [InlineData(true, 100)]
    [InlineData(false, 70)]
    public async Task Timer_of_a_delay_counts_from_the_begin_of_its_write(bool absolute, int after)
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);
        var sleeper = Sleep(hints);
        var delay = TimeSpan.FromMilliseconds(100);

        Assert.False(hints.Arm(absolute ? Due.AtTime(time.GetUtcNow() + delay) : Due.After(delay), age: TimeSpan.FromMilliseconds(30)));

        time.Advance(TimeSpan.FromMilliseconds(after - 1));
        Assert.False(sleeper.IsCompleted);
        time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Timer_is_not_for_what_is_due_at_once()
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);
        var sleeper = Sleep(hints);

        Assert.True(hints.Arm(Due.Now, age: TimeSpan.Zero));

        time.Advance(TimeSpan.FromDays(1));
        Assert.False(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Timer_wakes_a_sleeper_when_it_is_due_and_not_before()
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);
        hints.WorkDueIn(TimeSpan.FromMilliseconds(100));
        hints.WorkDueIn(TimeSpan.FromMilliseconds(50));
        var sleeper = Sleep(hints);

        time.Advance(TimeSpan.FromMilliseconds(49));
        Assert.False(sleeper.IsCompleted);
        time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.True(sleeper.IsCompleted);
    }

    [Theory]
    [InlineData(50, 100)]
    [InlineData(100, 50)]
    public async Task Later_timer_is_not_lost_behind_a_nearer_one(int first, int second)
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);
        hints.WorkDueIn(TimeSpan.FromMilliseconds(first));
        hints.WorkDueIn(TimeSpan.FromMilliseconds(second));
        time.Advance(TimeSpan.FromMilliseconds(50));

        // The worker finds what the nearer timer was for; only another look tells of the later one.
        var look = hints.BeginLook();
        hints.EndLook(found: true);
        Assert.Null(hints.TrySleep(look, found: true));
        look = hints.BeginLook();
        hints.WorkDueIn(TimeSpan.FromMilliseconds(50));
        hints.EndLook(found: false);
        var sleeper = hints.TrySleep(look, found: false)!;
        time.Advance(TimeSpan.FromMilliseconds(50));

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Timer_beyond_what_the_system_can_wait_is_taken()
    {
        var time = new ManualTimeProvider();
        await using var hints = NewHints(time);

        hints.WorkDueIn(TimeSpan.MaxValue);
        hints.WorkDueIn(TimeSpan.FromMilliseconds(10));
        var sleeper = Sleep(hints);
        time.Advance(TimeSpan.FromMilliseconds(10));

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Disposing_twice_is_as_good_as_once()
    {
        var hints = NewHints(new ManualTimeProvider());

        await hints.DisposeAsync();
        await hints.DisposeAsync();
    }

    [Fact]
    public async Task Racing_adders_and_workers_leave_no_work_behind()
    {
        await using var hints = NewHints(TimeProvider.System);
        const int Total = 20_000;
        var due = 0;
        var done = 0;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var workers = Enumerable
            .Range(0, 3)
            .Select(_ =>
                Task.Run(
                    async () =>
                    {
                        while (Volatile.Read(ref done) < Total)
                        {
                            var look = hints.BeginLook();
                            var found = Interlocked.Exchange(ref due, 0);
                            if (found > 0 && Interlocked.Add(ref done, found) >= Total)
                                await end.CancelAsync();
                            hints.EndLook(found > 0);
                            if (hints.TrySleep(look, found > 0) is { } sleep)
                                await sleep.WaitAsync(end.Token).ContinueWith(_ => { }, TaskScheduler.Default);
                        }
                    },
                    Token
                )
            )
            .ToList();

        await Task.WhenAll(
            Enumerable
                .Range(0, 4)
                .Select(_ =>
                    Task.Run(
                        async () =>
                        {
                            for (var i = 0; i < Total / 4; i++)
                            {
                                Interlocked.Increment(ref due);
                                hints.WorkAdded();
                                if (i % 50 == 0)
                                    await Task.Yield();
                            }
                        },
                        Token
                    )
                )
        );

        await Task.WhenAll(workers).WaitAsync(TimeSpan.FromSeconds(30), Token);
        Assert.Equal(Total, done);
    }

    private static WorkHints NewHints(TimeProvider time) => new(new InMemoryWorkflowBackend(time), time);

    private static Task Sleep(WorkHints hints)
    {
        var look = hints.BeginLook();
        hints.EndLook(found: false);
        return hints.TrySleep(look, found: false) ?? throw new InvalidOperationException("There is work already.");
    }
}

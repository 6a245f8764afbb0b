namespace Serdica.Perf.Workflows.Tests;

/// <summary>No wake-up is lost: nothing else looks in these tests, there is no polling behind them.</summary>
public sealed class WorkHintsTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task Work_that_is_added_during_an_empty_look_forbids_the_sleep()
    {
        await using var hints = NewHints();

        var look = hints.BeginLook();
        hints.WorkAdded();
        hints.EndLook(look, found: false);

        Assert.Null(hints.TrySleep(look, found: false));
    }

    [Fact]
    public async Task After_an_empty_look_new_work_is_left_to_another_active_worker_with_help_when_it_takes_long()
    {
        await using var hints = NewHints();
        var busy = hints.BeginLook();
        var idle = hints.BeginLook();
        hints.WorkAdded();
        hints.EndLook(idle, found: false);

        var sleeper = hints.TrySleep(idle, found: false)!;
        _time.Advance(FromMilliseconds(9));
        Assert.False(sleeper.IsCompleted);
        _time.Advance(FromMilliseconds(1));

        Assert.True(sleeper.IsCompleted);
        hints.EndLook(busy, found: true);
        Assert.Null(hints.TrySleep(busy, found: true));
    }

    [Fact]
    public async Task Sleeper_is_woken_soon_when_a_look_may_have_passed_something_over()
    {
        await using var hints = NewHints();
        var sleeper = Sleep(hints);

        hints.LookSoon();
        _time.Advance(FromMilliseconds(9));
        Assert.False(sleeper.IsCompleted);
        _time.Advance(FromMilliseconds(1));

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Of_two_empty_looks_that_missed_new_work_the_last_looks_again()
    {
        await using var hints = NewHints();
        var first = hints.BeginLook();
        var second = hints.BeginLook();
        hints.WorkAdded();

        hints.EndLook(first, found: false);
        Assert.NotNull(hints.TrySleep(first, found: false));
        hints.EndLook(second, found: false);

        Assert.Null(hints.TrySleep(second, found: false));
    }

    [Fact]
    public async Task Hint_of_another_process_wakes_a_sleeper_unless_a_worker_is_active_which_looks_again()
    {
        await using var hints = NewHints();
        var sleepers = new[] { Sleep(hints), Sleep(hints) };

        hints.WorkHinted();
        Assert.Equal(1, sleepers.Count(sleeper => sleeper.IsCompleted));
        var look = hints.BeginLook();
        hints.WorkHinted();

        Assert.Equal(1, sleepers.Count(sleeper => sleeper.IsCompleted));
        hints.EndLook(look, found: false);
        Assert.Null(hints.TrySleep(look, found: false));
    }

    /// <summary>Each hint wakes all hosts of a store, and one of them finds the work.</summary>
    [Fact]
    public async Task Hints_whose_work_others_took_are_followed_later_and_later()
    {
        await using var hints = NewHints(new HintingBackend(_time));
        var sleeper = Sleep(hints);
        hints.WorkHinted();
        Assert.True(sleeper.IsCompleted);

        foreach (var delay in (int[])[2, 4, 8, 16, 32, 64, 128, 256, 400, 400])
        {
            sleeper = Sleep(hints);
            hints.WorkHinted();
            _time.Advance(FromMilliseconds(0.49 * delay));
            hints.WorkHinted();
            Assert.False(sleeper.IsCompleted, $"The hint that is to wait up to {delay} ms was followed too early.");
            _time.Advance(FromMilliseconds(0.51 * delay));
            Assert.True(sleeper.IsCompleted, $"The hint was not followed within {delay} ms.");
        }
    }

    /// <summary>A store with parts leaves some of them to others by itself.</summary>
    [Fact]
    public async Task Hint_is_followed_at_once_after_a_poll_that_was_put_off()
    {
        await using var hints = NewHints(new HintingBackend(_time));
        hints.WorkHinted();
        var look = hints.BeginLook();
        hints.EndLook(look, found: false, putOff: true);
        var sleeper = hints.TrySleep(look, found: false)!;

        hints.WorkHinted();

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Hint_is_followed_at_once_again_after_a_find()
    {
        await using var hints = NewHints(new HintingBackend(_time));
        _ = Lost(hints);
        hints.WorkHinted();
        _time.Advance(FromMilliseconds(2));
        var look = hints.BeginLook();
        hints.EndLook(look, found: true);
        var sleeper = hints.TrySleep(look, found: true)!;

        hints.WorkHinted();

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Each_find_halves_how_late_hints_are_followed()
    {
        await using var hints = NewHints(new HintingBackend(_time));
        var sleeper = Lost(hints);
        foreach (var delay in (int[])[2, 4, 8])
        {
            hints.WorkHinted();
            _time.Advance(FromMilliseconds(delay));
            sleeper = Sleep(hints);
        }

        foreach (var delay in (int[])[16, 8, 4])
        {
            hints.WorkHinted();
            _time.Advance(FromMilliseconds(0.49 * delay));
            Assert.False(sleeper.IsCompleted);
            _time.Advance(FromMilliseconds(0.51 * delay));
            Assert.True(sleeper.IsCompleted);
            var look = hints.BeginLook();
            hints.EndLook(look, found: true);
            sleeper = hints.TrySleep(look, found: true)!;
        }
    }

    [Theory]
    [InlineData(501, true)]
    [InlineData(499, false)]
    public async Task Hint_is_followed_at_once_again_when_none_has_come_for_a_while(int pause, bool expected)
    {
        await using var hints = NewHints(new HintingBackend(_time));
        var sleeper = Lost(hints);

        _time.Advance(FromMilliseconds(pause));
        hints.WorkHinted();

        Assert.Equal(expected, sleeper.IsCompleted);
    }

    [Fact]
    public async Task Work_of_this_process_does_not_wait_behind_a_hint()
    {
        await using var hints = NewHints(new HintingBackend(_time));
        var sleeper = Lost(hints);

        hints.WorkHinted();
        Assert.False(sleeper.IsCompleted);
        hints.WorkAdded();

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Process_that_hints_come_to_follows_them_at_once_whatever_it_finds()
    {
        await using var hints = NewHints(new HintingBackend(_time) { First = true });
        for (var poll = 0; poll < 5; poll++)
        {
            var sleeper = Sleep(hints);

            hints.WorkHinted();

            Assert.True(sleeper.IsCompleted);
        }
    }

    [Theory]
    [InlineData(50, false, false)]
    [InlineData(0, true, true)]
    public async Task Process_that_hints_come_to_calls_the_others_when_work_is_late_or_left(int longestWait, bool leavesWork, bool isHinted)
    {
        var backend = new HintingBackend(_time) { First = true };
        await using var hints = NewHints(backend);

        if (isHinted)
            hints.WorkHinted();
        var look = hints.BeginLook();
        hints.EndLook(look, found: true, longestWait: FromMilliseconds(longestWait), leavesWork: leavesWork);

        await backend.Call.WaitAsync(HangGuard.Limit, Token);
        Assert.False(backend.Hint.IsCompleted);
    }

    /// <summary>Nobody waits at its backend object, or another host does.</summary>
    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, false)]
    public async Task Others_are_hinted_where_no_worker_looks_though_the_backend_hears_hints(bool hasStopped, bool wasHinted)
    {
        var backend = new HintingBackend(_time) { First = true };
        await using var hints = NewHints(backend);
        if (hasStopped)
        {
            hints.BeginLook();
            if (wasHinted)
                hints.WorkHinted();
            else
                hints.WorkAdded();
            hints.WorkersStopped();
            await backend.Call.WaitAsync(HangGuard.Limit, Token);
        }

        hints.WorkAdded();
        await hints.DisposeAsync();

        Assert.True(backend.Hint.IsCompleted);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Process_that_hints_come_to_calls_the_others_when_its_workers_are_busy_for_long(bool areBusy)
    {
        var backend = new HintingBackend(_time) { First = true };
        await using var hints = NewHints(backend);

        var look = hints.BeginLook();
        hints.WorkHinted();
        _time.Advance(FromMilliseconds(49));
        if (!areBusy)
        {
            hints.EndLook(look, found: true);
            hints.BeginLook();
        }

        _time.Advance(FromMilliseconds(1));

        if (areBusy)
            await backend.Call.WaitAsync(HangGuard.Limit, Token);
        await hints.DisposeAsync();
        Assert.Equal(areBusy, backend.Call.IsCompleted);
    }

    [Fact]
    public void Work_is_late_after_50_ms() =>
        Assert.Equal((false, true), (HelpCalls.IsLate(FromMilliseconds(49)), HelpCalls.IsLate(FromMilliseconds(50))));

    [Fact]
    public void Others_are_called_at_most_once_in_100_ms()
    {
        var help = new HelpCalls(_time);
        var called = new List<bool>();
        foreach (var pause in (int[])[0, 0, 99, 1, 99, 1])
        {
            _time.Advance(FromMilliseconds(pause));
            called.Add(help.MayCall());
        }

        Assert.Equal([true, false, false, true, false, true], called);
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 10)]
    [InlineData(null, 10)]
    public async Task Pause_between_hints_is_short_where_each_wakes_one_process_and_no_hint_after_it_waits(bool? isFirst, double pause)
    {
        var clock = new ClockOfPauses { StandsAt = FromHours(1) };
        var backend = new HintingBackend(clock) { First = isFirst };
        await using var hints = new WorkHints(backend, clock);
        Assert.Equal(Timeout.InfiniteTimeSpan, await clock.Pauses.Reader.ReadAsync(Token).AsTask().InTime());

        // Each is one hint: the first process gives it after a look that found nothing, the others as soon as there is work.
        void Hint()
        {
            var look = isFirst == true ? hints.BeginLook() : default;
            hints.WorkAdded();
            if (isFirst == true)
                hints.EndLook(look, found: false);
        }

        Hint();
        await backend.Sent.ReadAsync(Token).AsTask().InTime();
        clock.StandsAt += FromMilliseconds(pause);
        Hint();
        await backend.Sent.ReadAsync(Token).AsTask().InTime();
        Assert.False(clock.Pauses.Reader.TryRead(out var first), $"The hint waited for {first}.");

        Hint();
        await backend.Sent.ReadAsync(Token).AsTask().InTime();
        Assert.Equal(pause, (await clock.Pauses.Reader.ReadAsync(Token)).TotalMilliseconds);
    }

    /// <summary>It would hear its own hint.</summary>
    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(null, true)]
    public async Task Work_without_an_idle_worker_is_hinted_to_the_first_process_by_the_others(bool? isFirst, bool expected)
    {
        var backend = new HintingBackend(_time) { First = isFirst };
        await using var hints = NewHints(backend);

        hints.BeginLook();
        hints.WorkAdded();
        if (expected)
            await backend.Hint.WaitAsync(HangGuard.Limit, Token);
        await hints.DisposeAsync();

        Assert.Equal(expected, backend.Hint.IsCompleted);
        Assert.False(backend.Call.IsCompleted);
    }

    [Fact]
    public async Task Process_without_hints_polls_on_as_long_as_work_is_late_and_then_at_growing_intervals()
    {
        await using var hints = NewHints(new HintingBackend(_time) { First = false });
        var look = hints.BeginLook();
        hints.EndLook(look, found: true, longestWait: FromMilliseconds(50));
        Assert.Null(hints.TrySleep(look, found: true));

        foreach (var interval in (int[])[10, 20, 40, 80, 160, 320, 640])
        {
            look = hints.BeginLook();
            hints.EndLook(look, found: interval < 100, longestWait: FromMilliseconds(49));
            var sleeper = hints.TrySleep(look, found: interval < 100)!;
            _time.Advance(FromMilliseconds(interval - 1));
            Assert.False(sleeper.IsCompleted, $"The poll that is to come after {interval} ms came too early.");
            _time.Advance(FromMilliseconds(1));
            Assert.True(sleeper.IsCompleted, $"No poll came after {interval} ms.");
        }

        var last = Sleep(hints);
        _time.Advance(FromHours(1));
        Assert.False(last.IsCompleted);
    }

    /// <summary>What timers and places that became free lead to was not lost to another host.</summary>
    [Fact]
    public async Task Empty_poll_without_a_hint_puts_no_hint_off()
    {
        await using var hints = NewHints(new HintingBackend(_time));
        _ = Sleep(hints);
        hints.LookAgain();
        var sleeper = Sleep(hints);

        hints.WorkHinted();

        Assert.True(sleeper.IsCompleted);
    }

    /// <summary>A hint that is to be followed later is not lost when the only worker is in a poll that began before it.</summary>
    [Theory]
    [InlineData(0.9, true)]
    [InlineData(0.9, false)]
    [InlineData(150, true)]
    [InlineData(150, false)]
    public async Task Hint_during_a_poll_is_followed_by_its_worker(double milliseconds, bool found)
    {
        await using var hints = NewHints(new HintingBackend(_time));
        await Lost(hints, wake: true);

        var look = hints.BeginLook();
        hints.WorkHinted();
        _time.Advance(FromMilliseconds(milliseconds));
        hints.EndLook(look, found);
        var sleeper = hints.TrySleep(look, found);

        // Only a poll that found nothing, before the hint is to be followed, is followed by a sleep: until then.
        Assert.Equal(!found && milliseconds < 1, sleeper is not null);
        _time.Advance(FromMilliseconds(2));
        Assert.True(sleeper?.IsCompleted ?? true);
    }

    [Fact]
    public async Task Other_processes_get_a_hint_of_work_that_nobody_here_sleeps_for()
    {
        var backend = new HintingBackend(_time);
        await using var hints = NewHints(backend);

        hints.WorkAdded();

        await backend.Hint.WaitAsync(HangGuard.Limit, Token);
    }

    /// <summary>
    /// Another process may hold the work that the poll has not found. One that found something else may have come before the work.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Other_processes_get_a_hint_of_work_that_a_poll_of_this_one_has_not_found(bool afterFind)
    {
        var backend = new HintingBackend(_time);
        await using var hints = NewHints(backend);
        _ = Sleep(hints);
        var look = hints.BeginLook();
        hints.WorkAdded();
        if (afterFind)
        {
            hints.EndLook(look, found: true);
            look = hints.BeginLook();
        }

        hints.EndLook(look, found: false);

        await backend.Hint.WaitAsync(HangGuard.Limit, Token);
    }

    [Fact]
    public async Task Other_processes_get_no_hint_of_work_that_a_poll_after_it_has_found()
    {
        var backend = new HintingBackend(_time);
        await using var hints = NewHints(backend);
        _ = Sleep(hints);
        hints.WorkAdded();
        var look = hints.BeginLook();
        hints.EndLook(look, found: true);

        _ = Sleep(hints);

        await hints.DisposeAsync();
        Assert.False(backend.Hint.IsCompleted);
    }

    /// <summary>What is published while activities are drained is for other processes, as is what no worker took before.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Other_processes_get_a_hint_of_work_that_the_stopped_workers_have_left(bool before)
    {
        var backend = new HintingBackend(_time);
        await using var hints = NewHints(backend);
        await using var loop = new WorkLoop(backend, hints, new WorkflowOptions(), new CounterSet(), _time, NullLogger.Instance);
        _ = Sleep(hints);

        if (before)
            hints.WorkAdded();
        await loop.StopAsync();
        if (!before)
            hints.WorkAdded();

        await backend.Hint.WaitAsync(HangGuard.Limit, Token);
    }

    /// <summary>The poll may have been for that work, so it says nothing about who is quicker.</summary>
    [Fact]
    public async Task Empty_poll_during_which_this_process_added_work_puts_no_hint_off()
    {
        await using var hints = NewHints(new HintingBackend(_time));
        hints.WorkHinted();
        var look = hints.BeginLook();
        hints.WorkAdded();
        hints.EndLook(look, found: false);
        var sleeper = Sleep(hints);

        hints.WorkHinted();

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Polls_of_a_backend_without_hints_are_not_put_off()
    {
        await using var hints = NewHints();

        for (var poll = 0; poll < 5; poll++)
        {
            var sleeper = Sleep(hints);
            hints.WorkHinted();
            Assert.True(sleeper.IsCompleted);
            _time.Advance(FromMilliseconds(400));
        }
    }

    [Fact]
    public async Task Sleeper_is_woken_by_work_and_only_once()
    {
        await using var hints = NewHints();
        var sleepers = new[] { Sleep(hints), Sleep(hints) };

        hints.WorkAdded();

        Assert.Equal(1, sleepers.Count(sleeper => sleeper.IsCompleted));
    }

    [Fact]
    public async Task Timer_that_an_empty_look_has_set_is_followed_by_another_look_for_what_lies_behind_it()
    {
        await using var hints = NewHints();
        var early = hints.BeginLook();
        hints.WorkDueIn(FromMilliseconds(2));
        hints.EndLook(early, found: false);
        var sleeper = hints.TrySleep(early, found: false)!;
        _time.Advance(FromMilliseconds(2));
        Assert.True(sleeper.IsCompleted);

        var look = hints.BeginLook();
        hints.EndLook(look, found: true);

        Assert.Null(hints.TrySleep(look, found: true));
    }

    [Theory]
    [InlineData(true, 100)]
    [InlineData(false, 70)]
    public async Task Timer_of_a_delay_counts_from_the_begin_of_its_write(bool absolute, int after)
    {
        await using var hints = NewHints();
        var sleeper = Sleep(hints);
        var delay = FromMilliseconds(100);

        Assert.False(hints.Arm(absolute ? Due.AtTime(_time.GetUtcNow() + delay) : Due.After(delay), age: FromMilliseconds(30)));

        _time.Advance(FromMilliseconds(after - 1));
        Assert.False(sleeper.IsCompleted);
        _time.Advance(FromMilliseconds(1));
        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Timer_is_not_for_what_is_due_at_once()
    {
        await using var hints = NewHints();
        var sleeper = Sleep(hints);

        Assert.True(hints.Arm(Due.Now, age: TimeSpan.Zero));

        _time.Advance(FromDays(1));
        Assert.False(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Timer_wakes_a_sleeper_when_it_is_due_and_not_before()
    {
        await using var hints = NewHints();
        hints.WorkDueIn(FromMilliseconds(100));
        hints.WorkDueIn(FromMilliseconds(50));
        var sleeper = Sleep(hints);

        _time.Advance(FromMilliseconds(49));
        Assert.False(sleeper.IsCompleted);
        _time.Advance(FromMilliseconds(1));

        Assert.True(sleeper.IsCompleted);
    }

    [Theory]
    [InlineData(50, 100)]
    [InlineData(100, 50)]
    public async Task Later_timer_is_not_lost_behind_a_nearer_one(int first, int second)
    {
        await using var hints = NewHints();
        hints.WorkDueIn(FromMilliseconds(first));
        hints.WorkDueIn(FromMilliseconds(second));
        _time.Advance(FromMilliseconds(50));

        // The worker finds what the nearer timer was for; only another look tells of the later one.
        var look = hints.BeginLook();
        hints.EndLook(look, found: true);
        Assert.Null(hints.TrySleep(look, found: true));
        look = hints.BeginLook();
        hints.WorkDueIn(FromMilliseconds(50));
        hints.EndLook(look, found: false);
        var sleeper = hints.TrySleep(look, found: false)!;
        _time.Advance(FromMilliseconds(50));

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Timer_beyond_what_the_system_can_wait_is_taken()
    {
        await using var hints = NewHints();

        hints.WorkDueIn(TimeSpan.MaxValue);
        hints.WorkDueIn(FromMilliseconds(10));
        var sleeper = Sleep(hints);
        _time.Advance(FromMilliseconds(10));

        Assert.True(sleeper.IsCompleted);
    }

    [Fact]
    public async Task Disposing_twice_is_as_good_as_once()
    {
        var hints = NewHints();

        await hints.DisposeAsync();
        await hints.DisposeAsync();
    }

    [Fact]
    public async Task Racing_adders_and_workers_leave_no_work_behind()
    {
        await using var hints = new WorkHints(new InMemoryWorkflowBackend(), TimeProvider.System);
        const int Total = 20_000;
        var due = 0;
        var done = 0;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var workers = Range(0, 3)
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
                            hints.EndLook(look, found > 0);
                            if (hints.TrySleep(look, found > 0) is { } sleep)
                                await sleep.WaitAsync(end.Token).ContinueWith(_ => { }, TaskScheduler.Default);
                        }
                    },
                    Token
                )
            )
            .ToList();

        await Task.WhenAll(
            Range(0, 4)
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

        await Task.WhenAll(workers).WaitAsync(HangGuard.Limit, Token);
        Assert.Equal(Total, done);
    }

    /// <summary>Drivers call what they gave up a broken connection, for instance.</summary>
    [Fact]
    public async Task Hint_that_fails_because_the_process_stops_is_no_error()
    {
        var backend = new HintingBackend(TimeProvider.System) { HintEndsWith = new IOException("The connection is closed.") };
        var hints = new WorkHints(backend, TimeProvider.System);
        hints.WorkAdded();
        await backend.Hint.WaitAsync(Token);

        await hints.DisposeAsync();
    }

    /// <summary>A backend with hints and without other processes: the workers are those of the tests.</summary>
    private sealed class HintingBackend(TimeProvider time) : BackendDecorator(new InMemoryWorkflowBackend(time))
    {
        /// <summary>Hints last until they are cancelled, and fail with this then; null if they end at once.</summary>
        public Exception? HintEndsWith { get; init; }

        private readonly Channel<bool> _sent = Channel.CreateUnbounded<bool>();
        private readonly TaskCompletionSource _hint = new(RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _call = new(RunContinuationsAsynchronously);

        public bool? First { get; init; }

        public override bool? IsFirst => First;

        /// <summary>Each hint, and whether it is for all.</summary>
        public ChannelReader<bool> Sent => _sent.Reader;

        /// <summary>The first hint for all other processes, where one hears the others.</summary>
        public Task Call => _call.Task;

        public override BackendCapabilities Capabilities => base.Capabilities with { CrossProcessHints = true };

        /// <summary>The first hint for other processes.</summary>
        public Task Hint => _hint.Task;

        public override async Task NotifyWorkAsync(CancellationToken cancellationToken)
        {
            _hint.TrySetResult();
            _sent.Writer.TryWrite(false);
            if (HintEndsWith is not { } error)
                return;
            await Task.Delay(Timeout.Infinite, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw error;
        }

        public override Task NotifyAllAsync(CancellationToken cancellationToken)
        {
            _call.TrySetResult();
            _sent.Writer.TryWrite(true);
            return Task.CompletedTask;
        }
    }

    private WorkHints NewHints(IWorkflowBackend? backend = null) => new(backend ?? new InMemoryWorkflowBackend(_time), _time);

    /// <summary>A sleeping worker whose last poll was for a hint and found nothing; or one that was woken without a hint.</summary>
    private static Task Lost(WorkHints hints, bool wake = false)
    {
        _ = Sleep(hints);
        hints.WorkHinted();
        var sleeper = Sleep(hints);
        if (wake)
            hints.WakeOne();
        return sleeper;
    }

    /// <summary>A worker that has found nothing.</summary>
    internal static Task Sleep(WorkHints hints)
    {
        var look = hints.BeginLook();
        hints.EndLook(look, found: false);
        return hints.TrySleep(look, found: false) ?? throw new InvalidOperationException("There is work already.");
    }
}

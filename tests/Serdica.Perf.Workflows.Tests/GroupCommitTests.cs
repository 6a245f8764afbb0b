namespace Serdica.Perf.Workflows.Tests;

public sealed class GroupCommitTests
{
    [Fact]
    public async Task Items_that_come_during_a_commit_share_the_next()
    {
        var commits = new Commits();
        await using var group = Group(commits, maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var first = group.CommitAsync(0, Token);
        await commits.BegunAsync();
        var rest = Range(1, 20).Select(i => group.CommitAsync(i, Token)).ToList();
        EachItem.Holds(rest, call => Assert.False(call.IsCompleted));

        commits.Release();

        await Task.WhenAll([first, .. rest]);
        Assert.Equal([0], commits.Batches[0]);
        Assert.Equal(Range(1, 20), commits.Batches.Skip(1).SelectMany(batch => batch));
        Assert.InRange(commits.Batches.Count, 2, 3);
    }

    [Fact]
    public async Task Batches_are_bounded_and_keep_the_order()
    {
        var commits = new Commits();
        await using var group = Group(commits, maxBatch: 7, maxInFlight: 1, maxPending: 100);
        var calls = Range(0, 50).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();

        await Task.WhenAll(calls);
        EachItem.Holds(commits.Batches, batch => Assert.InRange(batch.Count, 1, 7));
        Assert.Equal(Range(0, 50), commits.Batches.SelectMany(batch => batch));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Item_at_fault_or_locked_fails_alone_and_the_others_are_written_once(bool isLocked)
    {
        var commits = new Commits { Refused = 13, IsLocked = isLocked };
        await using var group = Group(commits, maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var calls = Range(0, 40).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        Assert.True(Assert.IsType<WorkflowBackendException>(calls[13].Exception!.InnerException).NothingWritten);
        Assert.Equal(39, calls.Count(call => call.IsCompletedSuccessfully));
        Assert.Equal(Range(0, 40).Where(i => i != 13), commits.Written.Order());
    }

    /// <summary>Each commit waits for six of the ten seconds.</summary>
    [Fact]
    public async Task Parts_of_a_batch_do_not_wait_anew_for_a_lock()
    {
        var clock = new ManualTimeProvider();
        var gate = new TaskCompletionSource();
        var sizes = new List<int>();
        await using var group = Group(
            async (batch, _) =>
            {
                sizes.Add(batch.Count);
                await gate.Task;
                clock.Advance(FromSeconds(6));
                throw new WorkflowBackendException("It is locked.", isTransient: true) { NothingWritten = true, MayBeOneItem = true };
            },
            Patient with { SubmitPatience = FromSeconds(10) },
            clock
        );
        var calls = Range(0, 5).Select(i => group.CommitAsync(i, Token)).ToList();

        gate.SetResult();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default).InTime();

        Assert.Equal([1, 4, 2, 2], sizes);
    }

    [Fact]
    public async Task What_follows_a_commit_knows_how_long_it_took()
    {
        var clock = new ManualTimeProvider();
        var took = new List<TimeSpan>();
        await using var group = new GroupCommit<TimeSpan>(
            (batch, _) =>
            {
                clock.Advance(batch[0]);
                return Task.CompletedTask;
            },
            (_, time) => took.Add(time),
            static _ => 1,
            static _ => 0,
            clock,
            new WorkflowOptions()
        );

        foreach (var milliseconds in (int[])[30, 7])
            await group.CommitAsync(FromMilliseconds(milliseconds), Token);

        Assert.Equal([FromMilliseconds(30), FromMilliseconds(7)], took);
    }

    [Fact]
    public async Task Error_behind_the_commit_is_told_and_nothing_is_written_twice()
    {
        var commits = new Commits();
        await using var group = new GroupCommit<int>(
            commits.WriteAsync,
            static (_, _) => throw new InvalidOperationException("a listener failed"),
            static _ => 1,
            static _ => 0,
            new ManualTimeProvider(),
            new WorkflowOptions()
        );
        var calls = Range(0, 10).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        EachItem.Holds(calls, call => Assert.IsType<InvalidOperationException>(call.Exception!.InnerException));
        Assert.Equal(Range(0, 10), commits.Written.Order());
    }

    [Fact]
    public async Task Transient_failure_is_told_to_all_and_not_repeated()
    {
        var commits = new Commits { Lost = true };
        await using var group = Group(commits, maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var calls = Range(0, 10).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        EachItem.Holds(calls, call => Assert.IsType<WorkflowBackendException>(call.Exception!.InnerException));
        Assert.Equal(10, commits.Batches.Sum(batch => batch.Count));
    }

    [Fact]
    public async Task Callers_over_the_bound_wait_and_may_give_up_waiting()
    {
        var commits = new Commits();
        await using var group = Group(commits, maxBatch: 10, maxInFlight: 1, maxPending: 3);
        using var patience = new CancellationTokenSource();
        var accepted = Range(0, 3).Select(i => group.CommitAsync(i, Token)).ToList();
        var waiting = group.CommitAsync(3, patience.Token);

        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        commits.Release();
        await Task.WhenAll(accepted);

        Assert.Equal([0, 1, 2], commits.Written.Order());
    }

    [Fact]
    public async Task Call_that_was_cancelled_before_writes_nothing()
    {
        var commits = new Commits();
        await using var group = Group(commits, maxBatch: 10, maxInFlight: 1, maxPending: 10);
        commits.Release();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => group.CommitAsync(0, new CancellationToken(canceled: true)));

        Assert.Empty(commits.Written);
    }

    /// <summary>One who has given up waiting must not take the place of the next.</summary>
    [Fact]
    public async Task Room_that_becomes_free_goes_to_a_caller_who_still_waits()
    {
        var commits = new Commits();
        await using var group = Group(commits, maxBatch: 10, maxInFlight: 1, maxPending: 1);
        using var patience = new CancellationTokenSource();
        var accepted = group.CommitAsync(0, Token);
        var impatient = group.CommitAsync(1, patience.Token);
        var patient = group.CommitAsync(2, Token);

        await patience.CancelAsync();
        commits.Release();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => impatient);
        await Task.WhenAll(accepted, patient).InTime();
        Assert.Equal([0, 2], commits.Written.Order());
    }

    /// <summary>Else those who come at the right moment overtake them, again and again.</summary>
    [Fact]
    public async Task Callers_who_wait_for_room_are_not_overtaken()
    {
        var commits = new Commits();
        await using var group = Group(commits, maxBatch: 1, maxInFlight: 1, maxPending: 1);
        var calls = Range(0, 20).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        var others = Range(1, 4)
            .Select(other =>
                Task.Run(
                    async () =>
                    {
                        for (var i = 0; i < 100; i++)
                            await group.CommitAsync((other * 100) + i, Token);
                    },
                    Token
                )
            );

        await Task.WhenAll([.. calls, .. others]);
        Assert.Equal(Range(0, 20), commits.Written.Take(20));
    }

    [Fact]
    public async Task Commits_for_others_have_no_context_of_the_caller_who_began()
    {
        var tenant = new AsyncLocal<string?>();
        var seen = new List<string?>();
        var gate = new TaskCompletionSource(RunContinuationsAsynchronously);
        await using var group = Group(
            async (_, _) =>
            {
                await gate.Task;
                lock (seen)
                    seen.Add(tenant.Value);
            },
            new WorkflowOptions { SubmitConcurrency = 1 }
        );

        tenant.Value = "first";
        var first = group.CommitAsync(0, Token);
        tenant.Value = "second";
        var second = group.CommitAsync(1, Token);
        gate.SetResult();
        await Task.WhenAll(first, second);

        Assert.Equal([null, null], seen);
        Assert.Equal("second", tenant.Value);
    }

    [Fact]
    public async Task Callers_who_wait_for_room_are_refused_at_the_close()
    {
        var commits = new Commits();
        var group = Group(commits, maxBatch: 1, maxInFlight: 1, maxPending: 1);
        var accepted = group.CommitAsync(0, Token);
        var waiting = Range(1, 3).Select(i => group.CommitAsync(i, Token)).ToList();

        var closing = group.DisposeAsync().AsTask();

        foreach (var call in waiting)
            await Assert.ThrowsAsync<ObjectDisposedException>(() => call.InTime());
        commits.Release();
        await Task.WhenAll(accepted, closing);
        Assert.Equal([0], commits.Written);
    }

    [Fact]
    public async Task Bound_holds_after_a_batch_was_halved()
    {
        // [0], [6..13], its halves, those of [10..13], and those of [12, 13].
        const int Writes = 8;
        using var gate = new SemaphoreSlim(0);
        var group = Group(
            async (batch, _) =>
            {
                var isRefused = batch.Contains(13);
                await gate.WaitAsync(Token);
                if (isRefused)
                    throw new WorkflowBackendException("This item cannot be stored.", isTransient: false) { NothingWritten = true };
            },
            new WorkflowOptions { SubmitConcurrency = 1, MaxPendingSubmissions = 9 }
        );
        var halved = (List<Task>)[group.CommitAsync(0, Token), .. Range(6, 8).Select(i => group.CommitAsync(i, Token))];
        gate.Release(Writes);
        await Task.WhenAll(halved).ContinueWith(_ => { }, TaskScheduler.Default).InTime();

        var calls = Range(20, 10).Select(i => group.CommitAsync(i, Token)).ToList();
        var closing = group.DisposeAsync().AsTask();

        // Nine are accepted, and the tenth waited outside.
        await Assert.ThrowsAsync<ObjectDisposedException>(() => calls[^1].InTime());
        gate.Release(Writes);
        await closing;
    }

    [Fact]
    public async Task Way_of_a_commit_that_was_answered_late_is_used_again()
    {
        var clock = new ManualTimeProvider();
        var database = new HangingDatabase();

        // One item at a time: the next is accepted when the one before has left its way.
        var options = Patient with { SubmitConcurrency = 1, MaxPendingSubmissions = 1 };
        await using var group = Group(database.WriteAsync, options, clock);
        var late = group.CommitAsync(0, Token);
        await database.BegunAsync(0);
        clock.Advance(Patient.SubmitPatience * 1.5);
        clock.Advance(Patient.SubmitPatience);
        database.Answer(0);
        await late;

        foreach (var item in Range(1, 5))
        {
            database.Answer(item);
            await group.CommitAsync(item, Token).InTime();
        }
    }

    [Fact]
    public async Task Closing_writes_what_was_accepted_and_refuses_the_rest()
    {
        var commits = new Commits();
        var group = Group(commits, maxBatch: 4, maxInFlight: 1, maxPending: 100);
        var calls = Range(0, 10).Select(i => group.CommitAsync(i, Token)).ToList();

        var closing = group.DisposeAsync().AsTask();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => group.CommitAsync(10, Token));
        Assert.False(closing.IsCompleted);
        commits.Release();
        await closing;

        await Task.WhenAll(calls);
        Assert.Equal(10, commits.Written.Count);
        await group.DisposeAsync();
    }

    [Fact]
    public async Task Caller_that_commits_is_not_kept_for_the_others()
    {
        using var gate = new SemaphoreSlim(0);
        var commits = 0;
        await using var group = Group(
            async (_, _) =>
            {
                Interlocked.Increment(ref commits);
                await gate.WaitAsync(Token);
            },
            new WorkflowOptions { SubmitBatch = 1 }
        );
        var first = group.CommitAsync(0, Token);
        var others = Range(1, 5).Select(i => group.CommitAsync(i, Token)).ToList();

        gate.Release();
        await first.InTime();

        EachItem.Holds(others, call => Assert.False(call.IsCompleted));
        gate.Release(5);
        await Task.WhenAll(others);
        Assert.Equal(6, commits);
    }

    [Fact]
    public async Task Racing_callers_are_all_written_exactly_once()
    {
        var commits = new Commits();
        commits.Release();
        await using var group = Group(commits, maxBatch: 16, maxInFlight: 2, maxPending: 32);

        await Task.WhenAll(
            Range(0, 8)
                .Select(caller =>
                    Task.Run(
                        async () =>
                        {
                            for (var i = 0; i < 250; i++)
                                await group.CommitAsync((caller * 250) + i, Token);
                        },
                        Token
                    )
                )
        );

        Assert.Equal(Range(0, 2_000), commits.Written.Order());
    }

    [Fact]
    public async Task Error_that_does_not_say_that_nothing_was_written_is_an_unknown_outcome_and_nothing_is_repeated()
    {
        var commits = new Commits { Refused = 3, StatesIt = false };
        await using var group = Group(commits, maxBatch: 100, maxInFlight: 1, maxPending: 100);
        var calls = Range(0, 10).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls).ContinueWith(_ => { }, TaskScheduler.Default);

        Assert.Equal(10, commits.Batches.Sum(batch => batch.Count));
        var error = Assert.IsType<WorkflowBackendException>(calls[3].Exception!.InnerException);
        Assert.Equal((true, false), (error.IsTransient, error.NothingWritten));
        Assert.Contains("This item cannot be stored. Whether the write is durable is unknown.", error.Message);
        Assert.Contains("dedup key", error.Message);
    }

    [Fact]
    public async Task Commit_that_hangs_keeps_its_items_and_another_way_is_opened_for_the_rest()
    {
        var clock = new ManualTimeProvider();
        var database = new HangingDatabase();
        await using var group = Group(database.WriteAsync, Patient, clock);
        var held = group.CommitAsync(0, Token);
        var behind = group.CommitAsync(1, Token);
        clock.Advance(Patient.SubmitPatience - FromMilliseconds(1));
        Assert.Equal([0], database.Begun);

        clock.Advance(Patient.SubmitPatience);
        await database.BegunAsync(1);
        database.Answer(1);
        await behind;
        var later = group.CommitAsync(2, Token);
        database.Answer(2);
        await later;

        Assert.False(held.IsCompleted);
        database.Answer(0);
        await held;
        Assert.Equal([0, 1, 2], database.Begun.Order());
    }

    [Fact]
    public async Task Commit_without_an_answer_is_given_up_with_an_unknown_outcome()
    {
        var clock = new ManualTimeProvider();
        var database = new HangingDatabase();
        var group = Group(database.WriteAsync, Patient, clock);
        var held = group.CommitAsync(0, Token);

        clock.Advance(Patient.SubmitTimeout + Patient.SubmitPatience);

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() => held);
        Assert.Equal((true, false), (error.IsTransient, error.NothingWritten));
        Assert.Contains("has not answered a commit of 1 write within 10 s", error.Message);
        Assert.Contains("Whether the write is durable is unknown.", error.Message);
        await database.CancelledAsync();

        // Closing does not wait for what was given up, and its late answer changes nothing.
        await group.DisposeAsync();
        database.Answer(0);
    }

    [Fact]
    public async Task Database_that_answers_nobody_gets_no_crowd_of_commits()
    {
        var clock = new ManualTimeProvider();
        var database = new HangingDatabase();
        await using var group = Group(database.WriteAsync, Patient with { SubmitBatch = 1 }, clock);
        var calls = Range(0, 20).Select(i => group.CommitAsync(i, Token)).ToList();

        for (var ways = 2; ways <= 5; ways++)
        {
            clock.Advance(Patient.SubmitPatience * 1.5);
            await database.BegunAsync(ways - 1);
        }

        clock.Advance(Patient.SubmitPatience);
        Assert.Equal([0, 1, 2, 3, 4], database.Begun.Order());
        foreach (var i in Range(0, 20))
            database.Answer(i);
        await Task.WhenAll(calls);
    }

    [Fact]
    public async Task Batches_are_bounded_by_bytes_and_a_larger_item_goes_alone()
    {
        var commits = new Commits();
        await using var group = Group(commits.WriteAsync, new WorkflowOptions { SubmitBatchBytes = 100 }, size: static size => size);
        var first = group.CommitAsync(1, Token);
        await commits.BegunAsync();
        var calls = ((int[])[40, 50, 20, 500, 60, 40, 1]).Select(size => group.CommitAsync(size, Token)).ToList();

        commits.Release();
        await Task.WhenAll([first, .. calls]);

        Assert.Equal<int[]>(
            [
                [1],
                [40, 50],
                [20],
                [500],
                [60, 40],
                [1],
            ],
            commits.Batches.Select(batch => batch.ToArray())
        );
    }

    /// <summary>A small commit costs as much as a large one, so a few items wait for the one under way.</summary>
    [Theory]
    [InlineData(2, 63, 1)]
    [InlineData(2, 64, 2)]
    [InlineData(1, 200, 1)]
    [InlineData(3, 128, 3)]
    public async Task Another_commit_begins_beside_the_one_under_way_when_enough_waits(int concurrency, int waiting, int begun)
    {
        var commits = new Commits();
        var options = new WorkflowOptions { SubmitConcurrency = concurrency };
        await using var group = Group(commits.WriteAsync, options, slot: static i => i == 0 ? 0 : 1 + (i / 65 * 30) + (i % 30));
        var calls = Range(0, waiting + 1).Select(i => group.CommitAsync(i, Token)).ToList();

        Assert.Equal(begun, commits.Batches.Count);
        commits.Release();
        await Task.WhenAll(calls);
        Assert.Equal(Range(0, waiting + 1), commits.Written.Order());
    }

    [Theory]
    [InlineData(126, new[] { 126 })]
    [InlineData(128, new[] { 64, 64 })]
    public async Task What_waits_at_the_end_of_a_commit_is_divided_if_each_half_is_worth_a_commit(int waiting, int[] sizes)
    {
        var database = new HangingDatabase();
        var seen = new ConcurrentQueue<int>();
        await using var group = Group(
            (batch, cancellationToken) =>
            {
                seen.Enqueue(batch.Count);
                return database.WriteAsync(batch, cancellationToken);
            },
            new WorkflowOptions { SubmitConcurrency = 3 },
            slot: static i => i == 0 ? 0 : 1 + (i % 32)
        );
        var calls = Range(0, 65 + waiting).Select(i => group.CommitAsync(i, Token)).ToList();

        // The first commit is under way all the time, and the second holds the lanes of all that follow.
        Assert.Equal([1, 64], seen);
        foreach (var item in Range(1, 64))
            database.Answer(item);
        foreach (var item in Range(65, waiting))
            await database.BegunAsync(item);

        Assert.Equal(sizes, seen.Skip(2));
        foreach (var item in Range(0, 65 + waiting))
            database.Answer(item);
        await Task.WhenAll(calls);
    }

    /// <summary>Whoever does not wait for one call before the next finds its signals in the order of its calls.</summary>
    [Theory]
    [InlineData(1, 512)]
    [InlineData(2, 512)]
    [InlineData(4, 70)]
    [InlineData(16, 1)]
    public async Task Items_of_one_slot_are_in_one_commit_at_a_time_and_in_order(int concurrency, int maxBatch)
    {
        const int Slots = 100;
        var gate = new Lock();
        var underWay = new HashSet<int>();
        var written = new List<int>();
        var (now, most) = (0, 0);
        await using var group = Group(
            async (batch, _) =>
            {
                var slots = batch.Select(static i => i % Slots).ToHashSet();
                lock (gate)
                {
                    most = Math.Max(most, ++now);
                    Assert.Empty(slots.Intersect(underWay));
                    underWay.UnionWith(slots);
                }

                for (var i = 0; i < batch.Count % 5; i++)
                    await Task.Yield();
                lock (gate)
                {
                    now--;
                    underWay.ExceptWith(slots);
                    if (batch.Count > 1 && batch.Any(static i => i % 997 == 0))
                        throw new WorkflowBackendException("One is at fault.", isTransient: false) { NothingWritten = true };
                    written.AddRange(batch);
                }
            },
            new WorkflowOptions { SubmitConcurrency = concurrency, SubmitBatch = maxBatch },
            slot: static i => i % Slots
        );

        await Task.WhenAll(Range(0, 20_000).Select(i => group.CommitAsync(i, Token)));

        Assert.Equal(Range(0, 20_000), written.Order());
        Assert.InRange(most, Math.Min(concurrency, 2), concurrency);
        EachItem.Holds(written.GroupBy(static i => i % Slots), slot => Assert.Equal(slot.Order(), slot));
    }

    /// <summary>One slot has always more than a commit takes.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Slot_with_much_keeps_no_other_waiting(int concurrency)
    {
        var commits = new Commits();
        var options = new WorkflowOptions { SubmitConcurrency = concurrency, SubmitBatch = 4 };
        await using var group = Group(commits.WriteAsync, options, slot: static i => i < 100 ? 0 : i);
        var calls = Range(0, 150).Select(i => group.CommitAsync(i, Token)).ToList();

        commits.Release();
        await Task.WhenAll(calls);

        Assert.InRange(commits.Written.IndexOf(149), 0, 60);
    }

    private static WorkflowOptions Patient { get; } = new() { SubmitPatience = FromSeconds(1), SubmitTimeout = FromSeconds(10) };

    private static GroupCommit<int> Group(Commits commits, int maxBatch, int maxInFlight, int maxPending) =>
        Group(
            commits.WriteAsync,
            new WorkflowOptions { SubmitBatch = maxBatch, SubmitConcurrency = maxInFlight, MaxPendingSubmissions = maxPending }
        );

    private static GroupCommit<int> Group(
        Func<IReadOnlyList<int>, CancellationToken, Task> commit,
        WorkflowOptions options,
        TimeProvider? clock = null,
        Func<int, long>? size = null,
        Func<int, int>? slot = null
    ) => new(commit, static (_, _) => { }, size ?? (static _ => 1), slot ?? (static _ => 0), clock ?? new ManualTimeProvider(), options);

    /// <summary>A database that answers each item when the test lets it, and ignores cancellation.</summary>
    private sealed class HangingDatabase
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource> _begun = new();
        private readonly ConcurrentDictionary<int, TaskCompletionSource> _answers = new();
        private readonly TaskCompletionSource _cancelled = new(RunContinuationsAsynchronously);

        public IEnumerable<int> Begun => _begun.Where(entry => entry.Value.Task.IsCompleted).Select(entry => entry.Key);

        public Task BegunAsync(int item) => Of(_begun, item).Task.InTime();

        public Task CancelledAsync() => _cancelled.Task.InTime();

        public void Answer(int item) => Of(_answers, item).TrySetResult();

        public async Task WriteAsync(IReadOnlyList<int> batch, CancellationToken cancellationToken)
        {
            var items = batch.ToList();
            await using var registration = cancellationToken.Register(() => _cancelled.TrySetResult());
            items.ForEach(item => Of(_begun, item).TrySetResult());
            await Task.WhenAll(items.Select(item => Of(_answers, item).Task));
        }

        private static TaskCompletionSource Of(ConcurrentDictionary<int, TaskCompletionSource> sources, int item) =>
            sources.GetOrAdd(item, static _ => new TaskCompletionSource(RunContinuationsAsynchronously));
    }

    /// <summary>A database that writes nothing before it is released.</summary>
    private sealed class Commits
    {
        private readonly TaskCompletionSource _released = new(RunContinuationsAsynchronously);
        private readonly Lock _gate = new();
        private readonly TaskCompletionSource _begun = new(RunContinuationsAsynchronously);

        public int? Refused { get; init; }

        /// <summary>Whether a refusal says that nothing was written.</summary>
        public bool StatesIt { get; init; } = true;

        /// <summary>It is refused because somebody else holds what it needs.</summary>
        public bool IsLocked { get; init; }

        public bool Lost { get; init; }

        public List<List<int>> Batches { get; } = [];

        public List<int> Written { get; } = [];

        public void Release() => _released.TrySetResult();

        public Task BegunAsync() => _begun.Task;

        public async Task WriteAsync(IReadOnlyList<int> batch, CancellationToken cancellationToken)
        {
            lock (_gate)
                Batches.Add([.. batch]);
            _begun.TrySetResult();
            await _released.Task;
            if (Lost)
                throw new WorkflowBackendException("The connection is lost.", isTransient: true);
            if (Refused is { } refused && batch.Contains(refused))
            {
                throw new WorkflowBackendException("This item cannot be stored.", IsLocked)
                {
                    NothingWritten = StatesIt,
                    MayBeOneItem = IsLocked,
                };
            }

            lock (_gate)
                Written.AddRange(batch);
        }
    }
}

namespace Serdica.Perf.Compliance;

/// <summary>
/// The model to the tick, by a clock that the test moves. The suite for all backends leaves this open, because servers have
/// clocks of their own.
/// </summary>
public sealed class InMemoryModelTests : IAsyncDisposable
{
    private static readonly TimeSpan Tick = FromTicks(1);
    private static readonly TimeSpan Minute = FromMinutes(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly InMemoryWorkflowBackend _backend;

    public InMemoryModelTests() => _backend = new(_clock);

    public ValueTask DisposeAsync() => _backend.DisposeAsync();

    [Fact]
    public async Task Signal_is_due_at_its_time_and_not_a_tick_before()
    {
        var instance = Seam.Instance();
        await _backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id, due: Due.After(Minute)));

        _clock.Advance(Minute - Tick);
        Assert.Equal(new ProcessOutcome(0, NextDue: Tick), await ProcessAsync());
        Assert.Equal((0, 1), await DueAndLaterAsync());

        _clock.Advance(Tick);
        Assert.Equal((1, 0), await DueAndLaterAsync());
        Assert.Equal(new ProcessOutcome(1), await ProcessAsync());
        Assert.Equal(new ProcessOutcome(0), await ProcessAsync());
    }

    [Fact]
    public async Task Signal_that_becomes_due_while_its_instance_is_held_comes_with_the_next_claim()
    {
        var instance = await _backend.StartAsync("now");
        await _backend.ProcessAsync(
            new ClaimRequest(10),
            async batch =>
            {
                await _backend.SubmitAsync(Seam.Publish(instance.Id, "soon", Due.After(Minute)));
                _clock.Advance(Minute);
                Assert.Empty(await _backend.TakeAsync());
                return Seam.Count(batch);
            },
            Token
        );

        Assert.Equal(["soon"], await _backend.TakeAsync());
    }

    [Fact]
    public async Task Withdrawn_signal_is_not_what_is_due_next()
    {
        var instance = Seam.Instance();
        var withdrawn = Seam.Signal(instance.Id, "withdrawn", Due.After(Minute));
        await _backend.SubmitAsync(
            Seam.Start(instance, withdrawn),
            Seam.Publish(instance.Id, "later", Due.After(3 * Minute)),
            Seam.Publish(instance.Id)
        );
        await _backend.ProcessAsync(
            10,
            batch =>
            {
                var decisions = Seam.Count(batch);
                decisions[0].Withdrawn = [withdrawn.Id];
                return decisions;
            },
            Token
        );

        Assert.Equal(3 * Minute, (await ProcessAsync()).NextDue);
        _clock.Advance(3 * Minute);
        Assert.Equal(["later"], await _backend.TakeAsync());
    }

    [Fact]
    public async Task Lease_is_extended_until_the_tick_at_which_it_ends_and_only_with_its_token()
    {
        var instance = Seam.Instance(waits: WaitKinds.Activity);
        var lease = Seam.Lease(instance.Id, token: 2, Minute);
        var timer = Seam.Signal(instance.Id, "timer", Due.After(10 * Minute)) with { Attempt = 2 };
        await _backend.SubmitAsync(Seam.Start(instance, lease, timer));
        ActivityLease held = new(instance.Id, lease.Id, 2);
        ActivityLease[] others =
        [
            new(instance.Id, lease.Id, 1),
            new(instance.Id, timer.Id, 2),
            new(instance.Id, Guid.NewGuid(), 2),
            new(Guid.NewGuid(), lease.Id, 2),
        ];

        _clock.Advance(Minute - Tick);
        Assert.Equal(others, await _backend.ExtendLeasesAsync([others[0], held, .. others[1..]], Minute, Token));

        _clock.Advance(Minute - Tick);
        Assert.Equal(Tick, (await ProcessAsync()).NextDue);
        _clock.Advance(Tick);
        Assert.Equal([held], await _backend.ExtendLeasesAsync([held], Minute, Token));
        Assert.Equal(["only"], await _backend.TakeAsync());
        Assert.Equal(10 * Minute - (Minute - Tick + Minute), (await ProcessAsync()).NextDue);
    }

    [Fact]
    public async Task Closed_instances_are_purged_after_their_age_with_all_that_is_theirs()
    {
        var open = Seam.Instance("open");
        var closed = Seam.Instance("closed", status: InstanceStatus.Completed);
        var awaited = Seam.Instance(status: InstanceStatus.Completed) with { ParentId = open.Id };
        var orphan = Seam.Instance(status: InstanceStatus.Faulted) with { ParentId = closed.Id };
        await _backend.SubmitAsync(
            Dying(open, "letter of the open one"),
            Dying(closed, "letter of the closed one"),
            Seam.Start(awaited),
            Seam.Start(orphan)
        );

        _clock.Advance(Minute);
        Assert.Equal(0, await _backend.PurgeAsync(Minute, Token));
        _clock.Advance(Tick);
        Assert.Equal(2, await _backend.PurgeAsync(Minute, Token));

        var left = new List<InstanceRecord?>();
        foreach (var one in (InstanceRecord[])[open, closed, awaited, orphan])
            left.Add(await _backend.FindAsync(one.Id, Token));
        Assert.Equal([open.Id, null, awaited.Id, null], left.Select(one => one?.Id));
        Assert.Null(await _backend.FindByKeyAsync("closed", Token));
        Assert.NotNull(await _backend.FindByKeyAsync("open", Token));
        Assert.Equal(["letter of the open one"], (await _backend.ListDeadLettersAsync(10, Token)).Select(letter => letter.Signal.Name));
        var again = Seam.Start(Seam.Instance("closed"));
        await _backend.SubmitAsync(again);
        Assert.Null(again.Existing);
    }

    [Fact]
    public async Task Times_of_an_instance_are_those_of_its_first_and_its_last_write()
    {
        var instance = await _backend.StartAsync();
        var created = _clock.GetUtcNow();
        _clock.Advance(Minute);
        await _backend.SubmitAsync(Seam.Publish(instance.Id));
        await _backend.TakeAsync();

        var record = await _backend.FindAsync(instance.Id, Token);

        Assert.Equal((created, created + Minute), (record!.CreatedAt, record.UpdatedAt));
    }

    [Fact]
    public async Task Dead_letters_come_oldest_first_and_go_back_as_new_signals()
    {
        var first = Seam.Instance();
        var second = Seam.Instance();
        var closed = Seam.Instance(status: InstanceStatus.Completed);
        await _backend.SubmitAsync(Dying(second, "old"));
        _clock.Advance(Minute);
        await _backend.SubmitAsync(Dying(first, "new"), Dying(closed, "closed"));
        var letters = await _backend.ListDeadLettersAsync(10, Token);

        Assert.Equal(["old", "new", "closed"], letters.Select(letter => letter.Signal.Name));
        Assert.Equal([Minute, TimeSpan.Zero, TimeSpan.Zero], letters.Select(letter => _clock.GetUtcNow() - letter.DeadAt));
        Assert.Equal(["old"], (await _backend.ListDeadLettersAsync(1, Token)).Select(letter => letter.Signal.Name));

        Assert.Equal(2, await _backend.RequeueDeadLettersAsync([.. letters.Select(letter => letter.Signal.Id), Guid.NewGuid()], Token));
        Assert.Equal(["closed"], (await _backend.ListDeadLettersAsync(10, Token)).Select(letter => letter.Signal.Name));
        Assert.Equal(1, (await _backend.TakeCensusAsync(Token)).DeadLetters);
        List<Signal> taken = [];
        await _backend.ProcessAsync(
            10,
            Seam.CountAfter(batch => taken = [.. batch.Instances.SelectMany(claimed => claimed.Signals)]),
            Token
        );
        Assert.Equal([("new", 0), ("old", 0)], taken.Select(signal => (signal.Name, signal.Attempt)).Order());
        Assert.All(taken, signal => Assert.Equal(_clock.GetUtcNow(), signal.Due.At));
    }

    [Fact]
    public async Task Claim_takes_as_many_signals_as_it_asks_for()
    {
        var one = Seam.Instance();
        var other = Seam.Instance();
        await _backend.SubmitAsync(Seam.Start(one), Seam.Start(other));
        await _backend.SubmitAsync([.. Range(0, 5).Select(i => Seam.Publish(one.Id, $"{i}"))], Token);
        await _backend.SubmitAsync(Seam.Publish(other.Id, "other"));

        Assert.Equal(["0", "1", "2"], await _backend.TakeAsync(3));
        Assert.Equal(["other", "3", "4"], await _backend.TakeAsync(3));
        Assert.Empty(await _backend.TakeAsync(3));
    }

    /// <summary>State and progress count once for each instance, payloads for each signal.</summary>
    [Theory]
    [InlineData(60, 2, true)]
    [InlineData(61, 3, true)]
    [InlineData(89, 3, true)]
    [InlineData(90, 3, true)]
    [InlineData(91, 3, false)]
    public async Task Claim_ends_with_the_signal_that_fills_its_bytes(long most, int signals, bool isCut)
    {
        var instances = Range(0, 3).Select(_ => Seam.Instance() with { State = new byte[7], Progress = new byte[11] }).ToList();
        await _backend.SubmitAsync(
            [.. instances.Select(instance => Seam.Start(instance, Seam.Signal(instance.Id) with { Payload = new byte[12] }))],
            Token
        );

        var outcome = await _backend.ProcessAsync(new ClaimRequest(10) { MaxBytes = most }, Seam.Count, Token);

        Assert.Equal(new ProcessOutcome(signals, NextDue: isCut ? TimeSpan.Zero : null), outcome);
        Assert.Equal(3 - signals, (await _backend.TakeAsync()).Count);
    }

    [Fact]
    public async Task Instance_without_progress_has_the_bytes_of_its_state()
    {
        var instances = Range(0, 2).Select(_ => Seam.Instance() with { State = new byte[10] }).ToList();
        await _backend.SubmitAsync(
            [.. instances.Select(instance => Seam.Start(instance, Seam.Signal(instance.Id) with { Payload = new byte[10] }))],
            Token
        );

        Assert.Equal(2, (await _backend.ProcessAsync(new ClaimRequest(10) { MaxBytes = 21 }, Seam.Count, Token)).Signals);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Conflict_of_any_instance_of_a_batch_leaves_all_as_they_were(int place)
    {
        var (one, other) = (Seam.Instance(), Seam.Instance());
        await _backend.SubmitAsync(Seam.Start(one), Seam.Start(other), Seam.Publish(one.Id), Seam.Publish(other.Id));

        var outcome = await _backend.ProcessAsync(
            10,
            batch =>
            {
                var decisions = Seam.Count(batch);
                decisions[place].ExpectedVersion = 41;
                return decisions;
            },
            Token
        );

        Assert.Equal(new ProcessOutcome(0, Conflict: true), outcome);
        Assert.Equal(["go", "go"], await _backend.TakeAsync());
    }

    [Fact]
    public void Model_keeps_nothing_and_hears_of_no_other_process() =>
        Assert.Equal(
            new BackendCapabilities(Durable: false, CrossProcessHints: false) { FiltersDefinitions = true, DecidesDirectly = true },
            _backend.Capabilities
        );

    [Fact]
    public async Task Direct_signal_of_an_instance_with_something_due_is_stored_behind_it()
    {
        var instance = Seam.Instance();
        await _backend.SubmitAsync(Seam.Start(instance), Seam.Publish(instance.Id, "timer", Due.After(Minute)));
        var early = Seam.Publish(instance.Id, "early");
        await _backend.SubmitDirectAsync(early);
        _clock.Advance(Minute);
        var late = Seam.Publish(instance.Id, "late");

        await _backend.SubmitDirectAsync(late);

        Assert.Equal((true, false), (early.IsDecided, late.IsDecided));
        Assert.Equal(["timer", "late"], await _backend.TakeAsync());
    }

    [Fact]
    public async Task Message_is_due_at_its_time_and_is_counted_until_it_was_handled()
    {
        Message Of(TimeSpan delay) => new() { Id = SortableId.Next(_clock.GetUtcNow()), Due = Due.After(delay) };
        await _backend.SendAsync([Of(Minute), Of(TimeSpan.Zero), Of(TimeSpan.Zero), Of(TimeSpan.Zero)], Token);
        List<(long Received, long Counted)> counts = [];
        void Count(ReceivedMessages received) => counts.Add((received.Messages.Count, Messages()));

        await Assert.ThrowsAsync<InvalidTimeZoneException>(() =>
            _backend.ReceiveAsync(2, _ => throw new InvalidTimeZoneException("It fails."), Token)
        );
        Assert.Equal(new ProcessOutcome(2), await _backend.ReceiveAsync(2, Count, Token));
        Assert.Equal(new ProcessOutcome(1), await _backend.ReceiveAsync(2, Count, Token));
        Assert.Equal(new ProcessOutcome(0, NextDue: Minute), await _backend.ReceiveAsync(2, Count, Token));
        _clock.Advance(Minute - Tick);
        Assert.Equal(new ProcessOutcome(0, NextDue: Tick), await _backend.ReceiveAsync(2, Count, Token));
        _clock.Advance(Tick);
        Assert.Equal(new ProcessOutcome(1), await _backend.ReceiveAsync(2, Count, Token));

        Assert.Equal([(2, 4), (1, 2), (1, 1)], counts);
        Assert.Equal(0, Messages());
    }

    [Fact]
    public async Task Wait_for_work_ends_by_the_clock_of_the_model()
    {
        var waiting = _backend.WaitForWorkAsync(Minute, Token);

        _clock.Advance(Minute - Tick);
        Assert.False(waiting.IsCompleted);
        _clock.Advance(Tick);
        await waiting;
    }

    private static StartSubmission Dying(InstanceRecord instance, string letter) =>
        new(
            new Decision
            {
                Instance = instance,
                DeadLetters =
                [new DeadLetter(Seam.Signal(instance.Id, letter) with { Attempt = 5 }, DeadLetterReason.AttemptsExhausted, "Failed.")],
            }
        );

    /// <summary>The model never waits.</summary>
    private long Messages() => _backend.TakeCensusAsync(Token).GetAwaiter().GetResult().Messages;

    private Task<ProcessOutcome> ProcessAsync() => _backend.ProcessAsync(10, Seam.Count, Token);

    private async Task<(long Due, long Later)> DueAndLaterAsync()
    {
        var census = await _backend.TakeCensusAsync(Token);
        return (census.SignalsDue, census.SignalsLater);
    }
}

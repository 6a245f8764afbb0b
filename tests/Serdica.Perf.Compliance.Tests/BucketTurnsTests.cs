namespace Serdica.Perf.Compliance;

/// <summary>Which bucket has its turn, without a server.</summary>
public sealed class BucketTurnsTests
{
    private static readonly Buckets Four = new(4);

    private readonly ManualTimeProvider _clock = new();
    private readonly List<short> _asked = [];
    private readonly List<short> _ways = [];
    private IReadOnlyList<BucketSeen> _seen = [];
    private IReadOnlyList<short> _empty = [];
    private TimeSpan _lookTakes = FromMilliseconds(1);
    private int _looks;

    [Fact]
    public void Bucket_that_has_waited_for_longest_comes_first_and_each_once()
    {
        var turns = new BucketTurns(Four, _clock);
        foreach (var bucket in (short[])[Four.All[2], Four.All[0], Four.All[3], Four.All[2]])
        {
            _clock.Advance(FromMilliseconds(1));
            turns.MayBeDue(bucket);
        }

        Assert.Equal([Four.All[2], Four.All[0], Four.All[3]], Taken(turns));
        Assert.False(turns.HasDue);
    }

    [Fact]
    public void Signals_that_are_sent_for_now_make_the_bucket_of_their_instance_due()
    {
        var turns = new BucketTurns(Four, _clock);
        var (now, later) = InTwoBuckets();

        turns.Sent([new Decision { Sent = [Seam.Signal(now.Id), Seam.Signal(later.Id, due: Due.After(FromSeconds(1)))] }]);

        Assert.Equal([Four.Of(now.Id)], Taken(turns));
    }

    [Fact]
    public void Published_signals_that_no_client_has_decided_make_their_bucket_due()
    {
        var turns = new BucketTurns(Four, _clock);
        var (stored, decided) = InTwoBuckets();
        var written = Seam.Publish(decided.Id);
        written.IsDecided = true;

        turns.Sent([.. new[] { Seam.Publish(stored.Id), written }.Select(signal => new Receiver(signal, signal.Signal))]);

        Assert.Equal([Four.Of(stored.Id)], Taken(turns));
    }

    [Fact]
    public async Task First_turn_looks_and_takes_what_has_been_due_for_longest()
    {
        var turns = new BucketTurns(Four, _clock);
        _seen = [new(Four.All[0], DueFor: null, NextIn: 3), new(Four.All[1], DueFor: 1, null), new(Four.All[2], DueFor: 2, null)];

        Assert.Equal(new ProcessOutcome(1), await TurnAsync(turns));

        Assert.Equal(1, _looks);
        Assert.Equal([Four.All[2]], _asked);
        Assert.True(turns.HasDue);
        Assert.Equal(FromSeconds(3) - _lookTakes, turns.NextDue);
    }

    [Fact]
    public async Task Known_bucket_is_taken_without_a_look_until_the_last_one_is_a_second_ago()
    {
        var turns = await LookedAsync();
        turns.MayBeDue(Four.All[1]);
        _clock.Advance(FromSeconds(0.999) - _lookTakes);

        Assert.Equal(new ProcessOutcome(1), await TurnAsync(turns));
        Assert.Equal(1, _looks);

        turns.MayBeDue(Four.All[1]);
        _clock.Advance(FromSeconds(0.001));
        Assert.Equal(new ProcessOutcome(1), await TurnAsync(turns));
        Assert.Equal(2, _looks);
    }

    [Fact]
    public async Task Buckets_are_taken_until_one_has_something_and_then_all_are_looked_at()
    {
        var turns = await LookedAsync();
        turns.MayBeDue(Four.All[1]);
        turns.MayBeDue(Four.All[2]);
        _seen = [new(Four.All[3], DueFor: 1, null)];
        _empty = [Four.All[1], Four.All[2]];

        Assert.Equal(new ProcessOutcome(1), await TurnAsync(turns, mayPutOff: false));

        Assert.Equal([Four.All[1], Four.All[2], Four.All[3]], _asked);
        Assert.Equal(2, _looks);
    }

    [Fact]
    public async Task Turn_that_finds_nothing_says_when_the_next_is_due_and_takes_it_then_without_a_look()
    {
        var turns = new BucketTurns(Four, _clock);
        _seen = [new(Four.All[2], DueFor: null, NextIn: 0.5)];

        Assert.Equal(new ProcessOutcome(0, NextDue: FromSeconds(0.5) - _lookTakes), await TurnAsync(turns));

        _clock.Advance(FromSeconds(0.5) - _lookTakes);
        Assert.Equal(new ProcessOutcome(1), await TurnAsync(turns));
        Assert.Equal(1, _looks);
        Assert.Equal([Four.All[2]], _asked);
    }

    [Fact]
    public void Signals_that_are_sent_for_later_are_the_next_that_are_due()
    {
        var turns = new BucketTurns(Four, _clock);
        var (soon, later) = InTwoBuckets();

        turns.Sent([
            new Decision
            {
                Sent =
                [
                    Seam.Signal(later.Id, due: Due.After(FromSeconds(2))),
                    Seam.Signal(soon.Id, due: Due.AtTime(_clock.GetUtcNow() + FromSeconds(1))),
                ],
            },
        ]);

        Assert.Equal(FromSeconds(1), turns.NextDue);
        _clock.Advance(FromSeconds(1));
        Assert.Equal([Four.Of(soon.Id)], Taken(turns));
        Assert.Equal(FromSeconds(1), turns.NextDue);
    }

    [Fact]
    public async Task Look_that_may_be_put_off_follows_the_last_after_five_times_its_duration()
    {
        _lookTakes = FromMilliseconds(20);
        var turns = await LookedAsync();
        _clock.Advance(FromMilliseconds(30));

        var expected = new ProcessOutcome(0, NextDue: FromMilliseconds(50)) { IsPutOff = true };
        Assert.Equal(expected, await TurnAsync(turns, mayPutOff: true));
        Assert.Equal(1, _looks);

        Assert.Equal(new ProcessOutcome(0), await TurnAsync(turns, mayPutOff: false));
        Assert.Equal(2, _looks);

        _clock.Advance(FromMilliseconds(80));
        Assert.Equal(new ProcessOutcome(0), await TurnAsync(turns, mayPutOff: true));
        Assert.Equal(3, _looks);
    }

    [Fact]
    public async Task Bucket_that_could_not_be_taken_is_put_back()
    {
        var turns = await LookedAsync();
        turns.MayBeDue(Four.All[1]);
        var failure = new InvalidOperationException();

        Assert.Same(
            failure,
            await Assert.ThrowsAsync<InvalidOperationException>(() =>
                turns.TakeAsync(Look, _ => throw failure, lookFirst: false, mayPutOff: true)
            )
        );
        Assert.Equal([Four.All[1]], Taken(turns));
    }

    /// <summary>A look asks all nodes, so it fails with one of them.</summary>
    [Fact]
    public async Task Every_bucket_is_asked_by_itself_when_a_look_fails()
    {
        var turns = await LookedAsync();
        var lost = Four.All[0];
        _empty = [.. Four.All.Skip(1)];
        _clock.Advance(FromSeconds(1));

        Task<ProcessOutcome> TurnWithoutANodeAsync() =>
            turns.TakeAsync(
                _ => throw new IOException(),
                bucket =>
                {
                    _clock.Advance(FromMilliseconds(1));
                    return bucket == lost ? throw new TimeoutException() : Take(bucket);
                },
                lookFirst: false,
                mayPutOff: false
            );

        await Assert.ThrowsAsync<TimeoutException>(TurnWithoutANodeAsync);
        _asked.Clear();
        await Assert.ThrowsAsync<TimeoutException>(TurnWithoutANodeAsync);
        Assert.Equal(Four.All.Skip(1), _asked);

        _empty = [];
        turns.MayBeDue(Four.All[2]);
        await Assert.ThrowsAsync<TimeoutException>(TurnWithoutANodeAsync);
        Assert.Equal(new ProcessOutcome(1), await TurnWithoutANodeAsync());
    }

    [Fact]
    public async Task Looks_go_over_one_node_after_the_other()
    {
        var turns = new BucketTurns(Four, _clock);

        for (var i = 0; i < 4; i++)
            await TurnAsync(turns, mayPutOff: false);

        Assert.Equal(Four.All.Order(), _ways.Order());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Hint_is_followed_the_later_the_more_often_it_was_followed_in_vain(int index)
    {
        var turns = await LookedAsync();
        var bucket = Four.All[index];
        _empty = [bucket];

        foreach (var longest in (double[])[0, 2, 4, 8, 16, 32, 64, 128, 256, 400, 400])
        {
            turns.Heard(bucket);
            var until = longest == 0 ? TimeSpan.Zero : (await TurnAsync(turns)).NextDue!.Value;
            Assert.InRange(until.TotalMilliseconds, longest / 2, longest);

            _clock.Advance(until);
            _asked.Clear();
            await TurnAsync(turns);
            Assert.Equal([bucket], _asked);
        }

        _empty = [];
        foreach (var longest in (double[])[400, 200, 100])
        {
            turns.Heard(bucket);
            var until = (await TurnAsync(turns)).NextDue!.Value;
            Assert.InRange(until.TotalMilliseconds, longest / 2, longest);
            _clock.Advance(until);
            await TurnAsync(turns);
        }

        // Others may have ended by then.
        _clock.Advance(FromMilliseconds(501));
        turns.Heard(bucket);
        Assert.Equal([bucket], Taken(turns));
    }

    [Fact]
    public async Task What_this_process_has_left_and_not_taken_itself_is_announced_once()
    {
        var turns = await LookedAsync();
        turns.Left(Four.All[0]);
        turns.Left(Four.All[2]);
        turns.MayBeDue(Four.All[3]);
        _empty = [Four.All[0]];

        Assert.Equal(new ProcessOutcome(1), await TurnAsync(turns));

        Assert.Equal([Four.All[0], Four.All[2]], _asked);
        Assert.Equal([Four.All[0]], turns.TakeUnannounced());
        Assert.Empty(turns.TakeUnannounced());
    }

    /// <summary>The claim may not have seen it.</summary>
    [Fact]
    public async Task What_this_process_leaves_in_a_bucket_that_it_claims_from_is_announced()
    {
        var turns = await LookedAsync();
        turns.Left(Four.All[0]);

        await turns.TakeAsync(Look, LeaveAndTake, lookFirst: false, mayPutOff: true);

        Assert.Equal([Four.All[0]], turns.TakeUnannounced());

        Task<ProcessOutcome?> LeaveAndTake(short bucket)
        {
            turns.Left(bucket);
            return Take(bucket);
        }
    }

    [Fact]
    public void Hint_names_the_buckets_of_signals_and_of_messages()
    {
        var (signals, messages) = (new BucketTurns(Four, _clock), new BucketTurns(Four, _clock));
        var hints = new BucketHints(Four, signals, messages);
        Assert.Equal(";", hints.Take());

        signals.Left(Four.All[3]);
        signals.Left(Four.All[1]);
        messages.Left(Four.All[2]);
        var payload = hints.Take();

        Assert.Equal(Invariant($"{Four.All[1]},{Four.All[3]};{Four.All[2]}"), payload);
        var (heardSignals, heardMessages) = (new BucketTurns(Four, _clock), new BucketTurns(Four, _clock));
        new BucketHints(Four, heardSignals, heardMessages).Heard(payload);
        Assert.Equal([Four.All[1], Four.All[3]], Taken(heardSignals));
        Assert.Equal([Four.All[2]], Taken(heardMessages));
        Assert.Empty(heardSignals.TakeUnannounced());
    }

    [Theory]
    [InlineData("")]
    [InlineData("1")]
    [InlineData("1;2;3")]
    [InlineData("12345;")]
    [InlineData(";-1")]
    [InlineData("all;")]
    public async Task Hint_that_names_no_buckets_is_about_all(string payload)
    {
        var turns = await LookedAsync();

        new BucketHints(Four, turns, new BucketTurns(Four, _clock)).Heard(payload);

        await TurnAsync(turns);
        Assert.Equal(2, _looks);
    }

    /// <summary>A look has just found nothing.</summary>
    private async Task<BucketTurns> LookedAsync()
    {
        var turns = new BucketTurns(Four, _clock);
        Assert.Equal(new ProcessOutcome(0), await TurnAsync(turns));
        Assert.Equal(1, _looks);
        return turns;
    }

    private Task<ProcessOutcome> TurnAsync(BucketTurns turns, bool mayPutOff = true) =>
        turns.TakeAsync(Look, Take, lookFirst: false, mayPutOff);

    private Task<IReadOnlyList<BucketSeen>> Look(short way)
    {
        _looks++;
        _ways.Add(way);
        _clock.Advance(_lookTakes);
        return Task.FromResult(_seen);
    }

    private Task<ProcessOutcome?> Take(short bucket)
    {
        _asked.Add(bucket);
        return Task.FromResult<ProcessOutcome?>(_empty.Contains(bucket) ? null : new ProcessOutcome(1));
    }

    private static (InstanceRecord One, InstanceRecord Other) InTwoBuckets()
    {
        var (one, other) = (Seam.Instance(), Seam.Instance());
        while (Four.Of(other.Id) == Four.Of(one.Id))
            other = Seam.Instance();
        return (one, other);
    }

    private static List<short> Taken(BucketTurns turns)
    {
        var taken = new List<short>();
        while (turns.TryTake(out var bucket))
            taken.Add(bucket);
        return taken;
    }
}

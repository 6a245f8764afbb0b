namespace Serdica.Perf.Workflows.Tests;

/// <summary>Which signals of an instance wait for others that were put off, as claims meet them in order of their due times.</summary>
public sealed class PutOffSignalsTests
{
    private static readonly TimeSpan Delay = FromMilliseconds(20);
    private static readonly DateTimeOffset Now = new(2026, 11, 24, 18, 0, 0, TimeSpan.Zero);

    internal static readonly InstanceRecord Instance = new()
    {
        Id = Guid.CreateVersion7(),
        Definition = "any",
        DefinitionVersion = 1,
        Step = "any",
        Status = InstanceStatus.Waiting,
        Version = 1,
        State = [],
    };

    private readonly ManualTimeProvider _clock = new();
    private readonly PutOffSignals _putOff;

    public PutOffSignalsTests() => _putOff = new PutOffSignals(_clock);

    [Fact]
    public void Signals_that_are_put_off_later_are_due_later_however_short_their_delay_is()
    {
        var (first, second) = (Signal("first"), Signal("second"));
        var due = PutOff(first);

        Assert.Equal(Now + Delay, due);
        Assert.Equal(due + FromMilliseconds(1), _putOff.PutOff(Instance.Id, [second], Now, TimeSpan.Zero));
    }

    [Fact]
    public void A_signal_that_was_put_off_again_and_is_due_later_holds_back_those_after_it()
    {
        var (first, second) = (Signal("first"), Signal("second"));
        PutOff(first);
        var earlier = PutOff(second);
        var later = PutOff(first);

        Assert.Equal(0, Arrange(Claim((second, earlier))));
        var both = Claim((second, earlier), (first, later));
        Assert.Null(Arrange(both));
        Assert.Equal(["first", "second"], both.Signals.Select(signal => signal.Name));
    }

    [Fact]
    public void A_signal_that_came_meanwhile_waits_until_all_others_were_handled()
    {
        var (first, second, later) = (Signal("first"), Signal("second"), Signal("later"));
        var due = PutOff(first, second);

        var cut = Claim((later, Now), (first, due));
        Assert.Equal(1, Arrange(cut));
        Assert.Equal(["first", "later"], cut.Signals.Select(signal => signal.Name));

        Assert.Null(Arrange(Claim((first, due))));
        _putOff.Handled(Claim((first, due)));
        Assert.Equal(0, Arrange(Claim((later, Now))));
        _putOff.Handled(Claim((second, due)));
        Assert.Null(Arrange(Claim((later, Now))));
        Assert.False(_putOff.Has(Instance.Id));
    }

    [Fact]
    public void A_signal_that_does_not_come_although_it_was_due_before_one_that_was_put_off_does_not_exist()
    {
        var (gone, next) = (Signal("gone"), Signal("next"));
        PutOff(gone);
        var later = PutOff(next);

        Assert.Null(Arrange(Claim((next, later))));
    }

    /// <summary>The claim may have seen the signals of before the commit that put them off.</summary>
    [Fact]
    public void A_signal_that_was_not_put_off_yet_in_the_eyes_of_the_claim_proves_nothing()
    {
        var (awaited, newcomer, second) = (Signal("awaited"), Signal("newcomer"), Signal("second"));
        var due = PutOff(awaited);
        PutOff(second);

        Assert.Equal(0, Arrange(Claim((newcomer, due + Delay))));
        Assert.Equal(0, Arrange(Claim((second, due + Delay + Delay))));
        Assert.Null(Arrange(Claim((awaited, due), (newcomer, due + Delay), (second, due + Delay + Delay))));
    }

    [Fact]
    public void Equal_times_prove_nothing()
    {
        var (awaited, next) = (Signal("awaited"), Signal("next"));
        var due = PutOff(awaited, next);

        Assert.Equal(0, Arrange(Claim((next, due))));
    }

    /// <summary>It stays where it is while its host has no place for it.</summary>
    [Fact]
    public void Nothing_waits_for_an_activity()
    {
        var activity = Signal("activity") with { Kind = SignalKind.Activity };
        var next = Signal("next");
        PutOff(activity);
        Assert.Null(Arrange(Claim((next, Now))));

        var due = PutOff(activity, next);
        Assert.Null(Arrange(Claim((next, due))));
        _putOff.Handled(Claim((next, due)));
        Assert.False(_putOff.Has(Instance.Id));
    }

    [Fact]
    public void A_host_that_lags_behind_keeps_the_order_and_one_whose_signals_never_come_forgets_them()
    {
        PutOff(Signal("awaited"));

        _clock.Advance(FromMinutes(50));
        Assert.Equal(0, Arrange(Claim((Signal("next"), Now))));
        _clock.Advance(FromMinutes(20));
        Assert.Null(Arrange(Claim((Signal("next"), Now))));
        Assert.False(_putOff.Has(Instance.Id));
    }

    /// <summary>An instance that is put off now is kept when those that are forgotten make room for it.</summary>
    [Fact]
    public void Instances_that_are_forgotten_make_room_before_others_do()
    {
        for (var i = 0; i < 9_999; i++)
            _putOff.PutOff(Guid.CreateVersion7(), [Signal("old")], Now, Delay);
        _clock.Advance(FromHours(2));
        PutOff(Signal("awaited"));

        _putOff.PutOff(Guid.CreateVersion7(), [Signal("another")], Now, Delay);

        Assert.True(_putOff.Has(Instance.Id));
    }

    [Fact]
    public void Instance_that_was_handled_leaves_others_their_order()
    {
        var other = Guid.CreateVersion7();
        _putOff.PutOff(other, [Signal("another")], Now, Delay);
        var first = Signal("first");

        _putOff.Handled(Claim((first, PutOff(first))));

        Assert.True(_putOff.Has(other));
    }

    private static Signal Signal(string name) =>
        new() { Id = Guid.CreateVersion7(), InstanceId = Instance.Id, Kind = SignalKind.External, Name = name, Payload = [] };

    private static ClaimedInstance Claim(params (Signal Signal, DateTimeOffset Due)[] signals)
    {
        var claimed = new ClaimedInstance(Instance);
        claimed.Signals.AddRange(signals.Select(entry => entry.Signal with { Due = Due.AtTime(entry.Due) }));
        return claimed;
    }

    private int? Arrange(ClaimedInstance claimed) => _putOff.Arrange(claimed);

    private DateTimeOffset PutOff(params Signal[] signals) => _putOff.PutOff(Instance.Id, signals, Now, Delay);
}

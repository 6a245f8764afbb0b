namespace Serdica.Perf.Workflows.Tests;

/// <summary>Which signals of an instance wait for others that were put off, as claims meet them in order of their due times.</summary>
public sealed class PutOffSignalsTests
{
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(20);

    private static readonly InstanceRecord Instance = new()
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
    public void A_signal_that_was_put_off_again_and_is_due_later_holds_back_those_after_it()
    {
        var (first, second) = (Signal("first"), Signal("second"));
        PutOff(first);
        PutOff(second);
        PutOff(first);

        Assert.Equal(new PutOffSignals.Overtaking(0, Delay), _putOff.Arrange(Claim(second)));

        _clock.Advance(Delay);
        Assert.Equal(new PutOffSignals.Overtaking(0, TimeSpan.Zero), _putOff.Arrange(Claim(second)));
        var both = Claim(second, first);
        Assert.Null(_putOff.Arrange(both));
        Assert.Equal(["first", "second"], both.Signals.Select(signal => signal.Name));
    }

    [Fact]
    public void A_signal_that_came_meanwhile_waits_until_all_others_were_handled()
    {
        var (first, second, later) = (Signal("first"), Signal("second"), Signal("later"));
        PutOff(first, second);
        _clock.Advance(Delay);

        var cut = Claim(later, first);
        Assert.Equal(new PutOffSignals.Overtaking(1, TimeSpan.Zero), _putOff.Arrange(cut));
        Assert.Equal(["first", "later"], cut.Signals.Select(signal => signal.Name));

        Assert.Null(_putOff.Arrange(Claim(first)));
        _putOff.Handled(Claim(first));
        Assert.NotNull(_putOff.Arrange(Claim(later)));
        _putOff.Handled(Claim(second));
        Assert.Null(_putOff.Arrange(Claim(later)));
        Assert.False(_putOff.Has(Instance.Id));
    }

    [Fact]
    public void A_signal_that_does_not_come_although_it_was_due_before_another_one_is_not_waited_for()
    {
        var (gone, next) = (Signal("gone"), Signal("next"));
        PutOff(gone);
        _clock.Advance(Delay + Delay);
        var claim = Claim(next);
        Assert.NotNull(_putOff.Arrange(claim));

        PutOff(next);
        _clock.Advance(Delay);

        Assert.Null(_putOff.Arrange(claim));
    }

    [Fact]
    public void A_signal_whose_delay_may_not_be_committed_is_waited_for_until_it_is_forgotten()
    {
        var (unknown, next) = (Signal("unknown"), Signal("next"));
        _putOff.PutOff(Instance.Id, [unknown], Delay);
        _clock.Advance(Delay);
        PutOff(next);
        _clock.Advance(Delay);
        Assert.NotNull(_putOff.Arrange(Claim(next)));

        _clock.Advance(TimeSpan.FromMinutes(1));

        Assert.Null(_putOff.Arrange(Claim(next)));
    }

    private static Signal Signal(string name) =>
        new()
        {
            Id = Guid.CreateVersion7(),
            InstanceId = Instance.Id,
            Kind = SignalKind.External,
            Name = name,
            Payload = [],
        };

    private static ClaimedInstance Claim(params Signal[] signals)
    {
        var claimed = new ClaimedInstance(Instance);
        claimed.Signals.AddRange(signals);
        return claimed;
    }

    private void PutOff(params Signal[] signals) => _putOff.Committed(_putOff.PutOff(Instance.Id, signals, Delay));
}

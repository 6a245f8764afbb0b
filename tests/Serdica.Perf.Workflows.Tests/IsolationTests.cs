namespace Serdica.Perf.Workflows.Tests;

/// <summary>Which instance is given up, as several workers of a host meet it.</summary>
public sealed class IsolationTests
{
    private static readonly TimeSpan LongestTry = FromSeconds(10);
    private static readonly RetryPolicy Retry = new() { MaxAttempts = 2, FirstDelay = FromMilliseconds(20) };
    private static readonly Refusal Refusal = new(DeadLetterReason.Refused, "It is refused.", IsCertain: false);

    private readonly ManualTimeProvider _clock = new();
    private readonly Isolation _isolation;
    private readonly ClaimedInstance _culprit = Claimed();
    private readonly ClaimedInstance _bystander = Claimed();

    public IsolationTests() => _isolation = new Isolation(Retry, _clock, LongestTry);

    [Fact]
    public void A_worker_that_finds_nothing_does_not_take_a_suspect_for_handled_while_another_one_holds_it()
    {
        FailTogether();
        Commit(_bystander);

        // The second worker looks while the first one holds the culprit.
        var claim = Choose(_culprit);
        _isolation.ForgetIdle();
        Assert.True(_isolation.IsSuspect(_culprit.Instance.Id));
        Fail(claim);
        FailAlone();
        PutOff();
        _clock.Advance(Retry.FirstDelay);
        FailAlone();

        Assert.Equal([Treatment.GiveUp], Choose(_culprit).Treatments);
    }

    [Fact]
    public void A_suspect_that_is_held_no_more_and_not_due_has_been_handled_by_another_host()
    {
        FailTogether();
        _clock.Advance(LongestTry + FromTicks(1));

        _isolation.ForgetIdle();

        Assert.False(_isolation.IsSuspect(_culprit.Instance.Id));
        Assert.False(_isolation.NeedsFullPoll);
    }

    [Fact]
    public void A_suspect_that_was_put_off_and_handled_by_another_host_is_forgotten()
    {
        FailAlone(times: 2);
        PutOff();
        Commit(_bystander);
        _clock.Advance(Retry.FirstDelay + LongestTry + Retry.MaxDelay);
        _isolation.ForgetIdle();
        Assert.Equal((true, false), (_isolation.IsSuspect(_culprit.Instance.Id), _isolation.NeedsFullPoll));

        _clock.Advance(FromTicks(1));
        Assert.True(_isolation.NeedsFullPoll);
        _isolation.ForgetIdle();

        Assert.Null(_isolation.Choose([_bystander]));
    }

    [Fact]
    public void An_instance_is_not_given_up_while_nothing_else_could_be_written()
    {
        FailAlone(times: 2);
        PutOff();
        _clock.Advance(Retry.FirstDelay);
        FailAlone();

        Assert.Equal([Treatment.PutOff], Choose(_culprit).Treatments);
    }

    [Fact]
    public void Failures_that_may_pass_put_nothing_off_while_nothing_else_could_be_written()
    {
        var other = Claimed();
        var refusal = Refusal with { MayPass = true };
        _isolation.Failed([_culprit, other], null, refusal, out _);
        for (var i = 0; i < 5; i++)
        {
            Assert.Equal([Treatment.Decide], Choose(_culprit).Treatments);
            _isolation.Failed([_culprit], Choose(_culprit).Treatments, refusal, out var culprit);
            Assert.Null(culprit);
        }

        // Others show whether it is the database.
        Assert.Equal([Treatment.PutBack, Treatment.Decide], _isolation.Choose([_culprit, _bystander]));
        Assert.Equal([Treatment.PutBack, Treatment.Decide], _isolation.Choose([_culprit, other]));
    }

    [Fact]
    public void Failures_that_may_pass_give_nothing_up_and_are_no_tries_before_a_refusal()
    {
        var refusal = Refusal with { MayPass = true };
        _isolation.Failed([_culprit], null, refusal, out _);
        Commit(_bystander);
        for (var i = 0; i < 5; i++)
        {
            _isolation.Failed([_culprit], Choose(_culprit).Treatments, refusal, out _);
            PutOff();
            _clock.Advance(Retry.MaxDelay);
        }

        FailAlone();
        PutOff();
        _clock.Advance(Retry.MaxDelay);
        FailAlone();
        Assert.Equal([Treatment.GiveUp], Choose(_culprit).Treatments);
    }

    [Fact]
    public void Signals_that_are_put_off_beside_others_are_no_try_although_the_next_one_is_due_when_they_are_written()
    {
        FailTogether();
        Commit(_bystander);
        FailAlone(times: 2);
        PutOff();

        // A signal comes before the next try, and is put off in a transaction that takes longer than the wait.
        var claim = Choose(_culprit);
        Assert.Equal([Treatment.PutOff], claim.Treatments);
        _clock.Advance(Retry.FirstDelay);
        _isolation.Committed([_culprit], claim.Treatments);

        _isolation.Failed([_culprit], Choose(_culprit).Treatments, Refusal, out var failed);
        Assert.Equal(2, failed!.Value.Tries);
    }

    [Fact]
    public void Signals_of_an_instance_that_is_put_off_wait_for_its_next_try_and_no_longer()
    {
        FailAlone(times: 2);
        PutOff();
        _clock.Advance(Retry.FirstDelay / 4);

        Assert.Equal(Retry.FirstDelay * 0.75, _isolation.DelayOf(_culprit.Instance.Id));
    }

    [Fact]
    public void Pauses_before_the_tries_of_a_culprit_grow()
    {
        FailAlone();
        foreach (var times in (int[])[1, 2, 4])
        {
            FailAlone();
            Assert.Equal(Retry.FirstDelay * times, _isolation.DelayOf(_culprit.Instance.Id));
            PutOff();
            Assert.Equal(Retry.FirstDelay * times, _isolation.DelayOf(_culprit.Instance.Id));
            _clock.Advance(Retry.FirstDelay * times);
        }
    }

    [Fact]
    public void What_comes_with_each_try_of_a_culprit_has_its_turn_before_it()
    {
        FailAlone(times: 2);
        PutOff();
        _clock.Advance(Retry.FirstDelay);

        Assert.Equal([Treatment.PutBack, Treatment.Decide], _isolation.Choose([_culprit, _bystander]));
        Assert.True(_isolation.NeedsFullPoll);
        Assert.Equal([Treatment.Decide, Treatment.PutBack], _isolation.Choose([_culprit, _bystander]));
    }

    [Fact]
    public void Signals_that_come_while_a_culprit_waits_for_its_next_try_keep_nobody_else_from_being_decided()
    {
        FailAlone(times: 2);
        PutOff();

        for (var claim = 0; claim < 3; claim++)
        {
            var treatments = _isolation.Choose([_culprit, _bystander]);
            Assert.Equal([Treatment.PutOff, Treatment.Decide], treatments);
            _isolation.Committed([_culprit, _bystander], treatments);
        }

        Assert.Equal(Retry.FirstDelay, _isolation.DelayOf(_culprit.Instance.Id));
    }

    [Fact]
    public void Suspect_is_tried_without_the_others_although_a_culprit_waits_beside_it()
    {
        FailAlone(times: 2);
        PutOff();
        var suspect = Claimed();
        _isolation.Failed([suspect, Claimed()], null, Refusal, out _);

        // What is no suspect has its turn once, because a culprit was put off.
        _ = _isolation.Choose([_culprit, suspect, _bystander]);

        Assert.Equal([Treatment.PutBack, Treatment.Decide, Treatment.PutBack], _isolation.Choose([_culprit, suspect, _bystander]));
    }

    /// <summary>Two that failed together without the rest are nearer to the culprit than the rest.</summary>
    [Fact]
    public void The_smallest_group_is_tried_first()
    {
        var (first, second) = (Claimed(), Claimed());
        FailTogether(first, second);
        FailTogether();

        var treatments = _isolation.Choose([first, second, _culprit, _bystander]);

        Assert.Equal([Treatment.PutBack, Treatment.PutBack, Treatment.Decide, Treatment.PutBack], treatments);
    }

    private static ClaimedInstance Claimed() => new(PutOffSignalsTests.Instance with { Id = Guid.CreateVersion7() });

    /// <summary>The two, and maybe others, are decided in one batch that fails.</summary>
    private void FailTogether(params ClaimedInstance[] others) =>
        _isolation.Failed([_culprit, _bystander, .. others], null, Refusal, out _);

    private (ClaimedInstance Instance, Treatment[]? Treatments) Choose(ClaimedInstance instance) =>
        (instance, _isolation.Choose([instance]));

    private void Fail((ClaimedInstance Instance, Treatment[]? Treatments) claim) =>
        _isolation.Failed([claim.Instance], claim.Treatments, Refusal, out _);

    private void Commit(ClaimedInstance instance) => _isolation.Committed([instance], _isolation.Choose([instance]));

    private void FailAlone(int times = 1)
    {
        for (var i = 0; i < times; i++)
            Fail(Choose(_culprit));
    }

    private void PutOff()
    {
        var claim = Choose(_culprit);
        Assert.Equal([Treatment.PutOff], claim.Treatments);
        _isolation.Committed([_culprit], claim.Treatments);
    }
}

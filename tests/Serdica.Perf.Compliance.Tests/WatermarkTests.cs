namespace Serdica.Perf.Compliance;

/// <summary>From where claims poll, step by step and by a clock that the test moves.</summary>
public sealed class WatermarkTests
{
    private static readonly DateTime Noon = new(2026, 1, 1, 12, 0, 0, DateTimeKind.Utc);
    private static readonly TimeSpan Slack = FromMilliseconds(200);

    private readonly ManualTimeProvider _clock = new();
    private readonly Watermark _watermark;

    public WatermarkTests() => _watermark = new Watermark(_clock);

    [Fact]
    public void First_poll_is_full_and_then_one_a_second_is()
    {
        Assert.True(Next().IsFull);
        Assert.False(Next().IsFull);

        _clock.Advance(FromSeconds(0.9));
        Assert.False(Next().IsFull);

        _clock.Advance(FromSeconds(0.1));
        var from = Next().From;
        Assert.Equal((DateTime.MinValue, DateTimeKind.Utc), (from, from.Kind));
        Assert.False(Next().IsFull);
    }

    [Theory]
    [InlineData(0.1, true, 1)]
    [InlineData(1.5, true, 7.5)]
    [InlineData(3, true, 10)]
    [InlineData(3, false, 1)]
    public void Full_polls_follow_each_other_after_a_pause(double seconds, bool answered, double pause)
    {
        var full = _watermark.Next();
        _clock.Advance(FromSeconds(seconds));
        Assert.False(_watermark.Next().IsFull);

        _watermark.Ended(full, answered);
        _clock.Advance(FromSeconds(pause - 0.05));
        Assert.False(_watermark.Next().IsFull);
        _clock.Advance(FromSeconds(0.05));
        Assert.True(_watermark.Next().IsFull);
    }

    [Fact]
    public void Claim_that_is_not_committed_does_not_raise_the_position()
    {
        Commit(Next(), Noon);

        _ = Next();

        Assert.Equal(Noon - Slack, Next().From);
    }

    [Fact]
    public void Committed_claims_raise_the_position_and_older_ones_do_not_lower_it()
    {
        Commit(Next(), Noon);
        Commit(Next(), Noon + Slack);
        Commit(Next(), Noon - Slack);

        Assert.Equal(Noon, Next().From);
    }

    [Fact]
    public void Claims_go_on_where_a_full_poll_that_filled_its_batch_has_stopped()
    {
        var late = Noon.AddMinutes(-1);
        Commit(Next(), Noon);
        _clock.Advance(FromSeconds(1));

        Commit(Next(), late, filled: true);

        Assert.Equal(late - Slack, Next().From);
        Commit(Next(), late.AddSeconds(1), filled: true);
        Assert.Equal(late.AddSeconds(1) - Slack, Next().From);
    }

    [Fact]
    public void Claim_that_began_before_the_position_was_lowered_does_not_raise_it_again()
    {
        var late = Noon.AddMinutes(-1);
        Commit(Next(), Noon);
        var before = Next();
        _clock.Advance(FromSeconds(1));
        Commit(Next(), late, filled: true);

        Commit(before, Noon.AddSeconds(1));

        Assert.Equal(late - Slack, Next().From);
    }

    [Fact]
    public void Full_poll_that_stops_at_the_position_keeps_no_other_claim_from_raising_it()
    {
        Commit(Next(), Noon);
        var before = Next();
        _clock.Advance(FromSeconds(1));
        Commit(Next(), Noon, filled: true);

        Commit(before, Noon.AddSeconds(1));

        Assert.Equal(Noon.AddSeconds(1) - Slack, Next().From);
    }

    [Fact]
    public void Position_follows_a_server_whose_clock_was_set_back()
    {
        var back = Noon.AddSeconds(-30);
        Commit(Next(), Noon);
        _clock.Advance(FromSeconds(1));

        _watermark.Committed(Next(), back, now: back, filled: false);

        Assert.Equal(back - Slack, Next().From);
    }

    [Fact]
    public void Single_late_signal_costs_no_scan_of_all_that_lies_above_it()
    {
        Commit(Next(), Noon);
        _clock.Advance(FromSeconds(1));

        _watermark.Committed(Next(), Noon.AddHours(-1), now: Noon.AddSeconds(1), filled: false);

        Assert.Equal(Noon - Slack, Next().From);
    }

    [Fact]
    public void Time_at_the_end_of_the_calendar_is_no_error()
    {
        Commit(Next(), DateTime.MinValue);

        Assert.Equal(DateTime.MinValue, Next().From);
    }

    [Fact]
    public void Forced_full_poll_is_full()
    {
        Commit(Next(), Noon);

        Assert.Equal(DateTime.MinValue, Next(full: true).From);
    }

    /// <summary>What one kind has passed over would lie below the position of another that can take it.</summary>
    [Fact]
    public void Each_kind_of_claim_has_a_position_of_its_own()
    {
        var watermarks = new Watermarks(_clock);
        var plain = new ClaimRequest(1);
        var lacking = plain with { Unknown = [new("lacked", 1)] };
        ClaimRequest[] kinds = [plain, plain with { SkipActivities = true }, lacking, lacking with { SkipActivities = true }];

        Assert.Equal(kinds.Length, kinds.Select(watermarks.Of).Distinct().Count());
        Assert.Same(watermarks.Of(kinds[^1]), watermarks.Of(kinds[^1]));
    }

    /// <summary>One that the server answers at once.</summary>
    private Watermark.Poll Next(bool full = false)
    {
        var poll = _watermark.Next(full);
        _watermark.Ended(poll, answered: true);
        return poll;
    }

    private void Commit(Watermark.Poll poll, DateTime newest, bool filled = false) =>
        _watermark.Committed(poll, newest, now: Noon.AddMinutes(1), filled);
}

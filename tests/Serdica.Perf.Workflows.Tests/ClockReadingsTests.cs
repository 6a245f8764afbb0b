namespace Serdica.Perf.Workflows.Tests;

public sealed class ClockReadingsTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly ClockReadings _clock;

    public ClockReadingsTests() => _clock = new ClockReadings(_time);

    [Fact]
    public void Each_claim_bounds_the_difference_on_both_sides()
    {
        Assert.Null(_clock.Difference);

        // The database is 7.5 ms behind and answers after 4 ms, of which 1 ms were on the way there.
        Claim(behindMs: 7.5, thereMs: 1, backMs: 3);
        Assert.Equal(Between(6.5, 10.5), _clock.Difference);

        // This one bounds it more closely from below, and not from above.
        Claim(behindMs: 7.5, thereMs: 0.25, backMs: 9);
        Assert.Equal(Between(7.25, 10.5), _clock.Difference);

        Claim(behindMs: 7.5, thereMs: 6, backMs: 0.5);
        Assert.Equal(Between(7.25, 8), _clock.Difference);
    }

    [Fact]
    public void Clock_that_is_behind_has_a_negative_difference()
    {
        Claim(behindMs: -20.5, thereMs: 1, backMs: 1);

        Assert.Equal(Between(-21.5, -19.5), _clock.Difference);
    }

    [Fact]
    public void Bounds_begin_anew_when_a_clock_was_set_and_after_a_minute()
    {
        Claim(behindMs: 0.5, thereMs: 0.1, backMs: 0.1);
        Claim(behindMs: 5.5, thereMs: 1, backMs: 2);
        Assert.Equal(Between(4.5, 7.5), _clock.Difference);
        Claim(behindMs: -5.5, thereMs: 1, backMs: 2);
        Assert.Equal(Between(-6.5, -3.5), _clock.Difference);

        _time.Advance(FromSeconds(61));
        Claim(behindMs: -5.5, thereMs: 3, backMs: 3);
        Assert.Equal(Between(-8.5, -2.5), _clock.Difference);
    }

    [Fact]
    public void Database_that_stores_milliseconds_may_be_up_to_one_ahead_of_what_it_says()
    {
        var now = _time.GetUtcNow();
        _time.Advance(FromMilliseconds(2));

        _clock.Add(now, now);

        Assert.Equal(Between(-1, 2), _clock.Difference);
    }

    private static ClockDifference Between(double leastMs, double mostMs) =>
        new(FromMilliseconds((leastMs + mostMs) / 2), FromMilliseconds((mostMs - leastMs) / 2));

    private void Claim(double behindMs, double thereMs, double backMs)
    {
        // Not on a whole millisecond.
        _time.Advance(FromMicroseconds(10));
        var sent = _time.GetUtcNow();
        _time.Advance(FromMilliseconds(thereMs));
        var database = _time.GetUtcNow() - FromMilliseconds(behindMs);
        _time.Advance(FromMilliseconds(backMs));
        _clock.Add(sent, database);
    }
}

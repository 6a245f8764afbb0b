namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>A step passes when it would have gone on as it was, however short it is.</summary>
public sealed class SustainedLoadTests
{
    /// <summary>Arrivals at equal distances at a server that does 250 a second, one after another.</summary>
    private const double Capacity = 250;

    [Theory]
    [InlineData(1.1, 0.3)]
    [InlineData(1.28, 0.3)]
    [InlineData(1.95, 0.3)]
    [InlineData(1.1, 5)]
    [InlineData(1.28, 5)]
    [InlineData(1.02, 60)]
    public void A_rate_above_capacity_does_not_pass(double share, double seconds)
    {
        var judged = StepJudge.Judge(Served(share * Capacity, seconds), [], []);

        Assert.NotEqual(StepVerdict.Passed, judged.Verdict);
        Assert.Contains(judged.Reasons, reason => reason.StartsWith("Not") && reason.Contains("sustained"));
        Assert.InRange(judged.Growth!.Backlog.Slope!.Value, 0.8 * (share - 1) * Capacity, 1.2 * (share - 1) * Capacity);
    }

    [Theory]
    [InlineData(0.5, 0.3)]
    [InlineData(0.95, 0.3)]
    [InlineData(0.5, 10)]
    [InlineData(0.99, 60)]
    [InlineData(0.02, 10)]
    public void A_rate_below_capacity_passes(double share, double seconds)
    {
        var judged = StepJudge.Judge(Served(share * Capacity, seconds), [], []);

        Assert.Empty(judged.Reasons);
        Assert.Equal(StepVerdict.Passed, judged.Verdict);
    }

    [Fact]
    public void Random_arrivals_with_room_to_spare_pass_and_those_above_capacity_do_not()
    {
        bool Passes(double rate, int seed) => StepJudge.Judge(Served(rate, 10, seed), [], []).Verdict == StepVerdict.Passed;

        Assert.InRange(Range(1, 100).Count(seed => Passes(0.6 * Capacity, seed)), 97, 100);
        Assert.Equal(0, Range(1, 100).Count(seed => Passes(1.15 * Capacity, seed)));
    }

    [Fact]
    public void A_start_that_is_slow_and_caught_up_with_is_no_growth()
    {
        // The first 0.5 s of 10 do nothing; the rest works it off.
        var judged = StepJudge.Judge(Served(0.8 * Capacity, 10, stall: (0, 0.5)), [], []);

        Assert.True(judged.Growth!.Backlog.Slope <= 0, judged.Growth.Backlog.ToString());
        Assert.Equal(0, judged.Growth.Left);
    }

    [Fact]
    public void Work_that_is_left_at_the_planned_end_is_not_forgiven()
    {
        var judged = StepJudge.Judge(Served(0.8 * Capacity, 10, stall: (9.2, 1.5)), [], []);

        Assert.Contains(judged.Reasons, reason => reason.Contains("when the last arrival was due"));
        Assert.NotEqual(StepVerdict.Passed, judged.Verdict);
    }

    [Fact]
    public void Response_times_that_grow_while_the_backlog_is_bounded_by_callers_do_not_pass()
    {
        var points = SampleStep.Good.Backlog.Select((point, index) => point with { ResponseMs = 10 + index }).ToArray();

        var judged = StepJudge.Judge(SampleStep.Good with { Backlog = points }, [], []);

        Assert.Equal(StepVerdict.Degraded, judged.Verdict);
        Assert.StartsWith("Not sustained: the response time rose by 6.0 ms a second", Assert.Single(judged.Reasons));
    }

    [Theory]
    [InlineData(10, 0.1)]
    [InlineData(2, 0.02)]
    public void Unread_messages_of_a_queue_that_grow_do_so_by_a_share_of_the_rate(double slope, double share)
    {
        var growth = SustainedLoad.GrowingUnread(Unread(at => slope * at), 60, 100);

        Assert.Equal(share, growth!.Value.Share, 1e-9);
        Assert.StartsWith($"Not sustained: the unread messages grew by {slope}.0 a second of 100.0 (99 % interval ", growth.Value.Sentence);
    }

    [Fact]
    public void Unread_messages_that_are_read_in_the_drain_have_grown() =>
        Assert.NotNull(SustainedLoad.GrowingUnread(Unread(at => at <= 50 ? 10 * at : 0), 50, 100));

    [Fact]
    public void Unread_messages_that_swing_or_grow_at_the_start_only_are_no_growth_and_of_too_few_looks_nobody_knows()
    {
        Assert.Null(SustainedLoad.GrowingUnread(Unread(at => 40 + (at % 10)), 60, 100));
        Assert.Null(SustainedLoad.GrowingUnread(Unread(at => 5 * Math.Min(at, 6)), 60, 100));
        Assert.Null(SustainedLoad.GrowingUnread(Unread(at => 10 * at), 35, 100));
        Assert.Null(SustainedLoad.GrowingUnread(Unread(at => 10 * at), 60, 0));
        Assert.False(SustainedLoad.CanFindGrowth(Unread(at => 10 * at), 35));
        Assert.True(SustainedLoad.CanFindGrowth(Unread(at => 10 * at), 60));
    }

    /// <summary>Looks every 5 s for a minute.</summary>
    private static (double AtSeconds, double Messages)[] Unread(Func<double, double> at) =>
        [.. Range(1, 12).Select(number => (5.0 * number, at(5 * number)))];

    private static StepResult Served(double rate, double seconds, int? seed = null, (double At, double For)? stall = null)
    {
        var timeline = new BacklogTimeline();
        var random = seed is { } number ? new Random(number) : null;
        double free = 0,
            last = 0;
        var offered = 0;
        for (var due = 0.0; due < seconds - 1e-9; due += random is null ? 1 / rate : -Math.Log(1 - random.NextDouble()) / rate)
        {
            var start = Math.Max(free, due);
            if (stall is { } pause && start >= pause.At && start < pause.At + pause.For)
                start = pause.At + pause.For;
            free = last = start + (1 / Capacity);
            timeline.Arrive(FromSeconds(due));
            timeline.End(FromSeconds(last), FromSeconds(last - due));
            offered++;
        }

        return SampleStep.Good with
        {
            TargetPerSecond = rate,
            OfferedPerSecond = offered / seconds,
            StartedPerSecond = offered / seconds,
            CompletedPerSecond = offered / Math.Max(seconds, last),
            PlannedSeconds = seconds,
            ElapsedSeconds = last,
            Counts = SampleStep.Good.Counts with { Offered = offered, Started = offered, Completed = offered },
            Backlog = timeline.Points(FromSeconds(seconds)),
        };
    }
}

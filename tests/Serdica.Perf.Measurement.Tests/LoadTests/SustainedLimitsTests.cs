namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>How much a backlog must grow before a step counts as one that would not have gone on.</summary>
public sealed class SustainedLimitsTests
{
    /// <summary>A quarter of the usual backlog of 100, and one operation, over the nine seconds that are judged: 2.9 a second.</summary>
    [Theory]
    [InlineData(2.8, false)]
    [InlineData(2.95, true)]
    public void Growth_counts_from_a_quarter_of_the_usual_backlog(double perSecond, bool grows) =>
        Assert.Equal(grows, Judge(Growing(perSecond)).Reasons.Any(reason => reason.StartsWith("Not sustained: the backlog grew")));

    /// <summary>A step of 100 operations a second.</summary>
    [Theory]
    [InlineData(4.5, StepVerdict.Degraded)]
    [InlineData(5.5, StepVerdict.Failed)]
    public void Growth_by_a_twentieth_of_the_rate_fails_a_step_and_is_told_once(double perSecond, StepVerdict verdict)
    {
        var judged = Judge(Growing(perSecond));

        Assert.Equal(verdict, judged.Verdict);
        Assert.Single(judged.Reasons, reason => reason.Contains("sustained"));
    }

    /// <summary>The median is what counts as usual, and a high end does not move it.</summary>
    [Fact]
    public void Response_times_count_as_growing_from_a_quarter_of_the_usual_one()
    {
        Assert.Empty(Judge(Slower(2.7)).Reasons);
        Assert.StartsWith("Not sustained: the response time rose", Assert.Single(Judge(Slower(3)).Reasons));

        // In 100 ms, over nine seconds: 2.9 ms a second.
        static StepResult Slower(double perSecond) =>
            SampleStep.Good with
            {
                Backlog = [.. Points(10, _ => 1).Select(point => point with { ResponseMs = 100 + (perSecond * (point.AtSeconds - 5.5)) })],
            };
    }

    /// <summary>A backlog that jumps up and down neither grows surely nor surely does not.</summary>
    [Fact]
    public void Step_that_is_too_unsteady_to_exclude_growth_does_not_pass()
    {
        var unsteady = SampleStep.Good with { Backlog = Points(10, at => (int)(at * 6) * 37 % 60 * 20) };

        Assert.StartsWith(
            "Not known to be sustained: growth of the backlog by up to ",
            Assert.Single(Judge(unsteady).Reasons, reason => reason.Contains("sustained"))
        );
        Assert.DoesNotContain(Judge(unsteady with { Alternates = true }).Reasons, reason => reason.Contains("sustained"));
    }

    /// <summary>A hump has few points that say anything new.</summary>
    [Fact]
    public void Step_without_an_interval_of_its_growth_does_not_pass()
    {
        var judged = Judge(SampleStep.Good with { Backlog = Points(10, at => 50 * Math.Sin(Math.PI * at / 10)) });

        Assert.Equal(StepVerdict.Degraded, judged.Verdict);
        Assert.EndsWith("with too few independent points for an interval; a longer step would show it.", Assert.Single(judged.Reasons));
    }

    /// <summary>A backlog that was as long in the first half of the time, and was worked off, is usual.</summary>
    [Theory]
    [InlineData(4.5, 11)]
    [InlineData(6.5, 60)]
    public void What_is_left_at_the_end_is_beyond_the_longest_backlog_of_the_first_half(double peakAt, double left)
    {
        var points = Points(10, at => Math.Abs(at - peakAt) < 0.2 ? 50 : 1);

        var step = SampleStep.Good with { Backlog = [.. points.SkipLast(1), points[^1] with { Backlog = 61 }] };

        Assert.Equal(left, Judge(step).Growth!.Left);
    }

    [Theory]
    [InlineData(10, 1)]
    [InlineData(100, 10)]
    [InlineData(400, 10)]
    public void Start_of_a_step_is_not_judged(double seconds, double rampIn)
    {
        var step = SampleStep.Good with { PlannedSeconds = seconds, Backlog = Points(seconds, at => at < rampIn ? 500 : 1) };

        Assert.Equal(rampIn, Judge(step).Growth!.RampInSeconds, 1e-9);
        Assert.Equal(0, Judge(step).Growth!.Left);

        // What is left at the end is not small beside a start that was worse.
        Assert.Equal(60, Judge(step with { Backlog = [.. step.Backlog.SkipLast(1), step.Backlog[^1] with { Backlog = 61 }] }).Growth!.Left);
    }

    private static StepResult Growing(double perSecond) =>
        SampleStep.Good with { Backlog = Points(10, at => 100 + (perSecond * (at - 5.5))) };

    private static BacklogPoint[] Points(double seconds, Func<double, double> backlog) =>
        [
            .. Range(0, BacklogTimeline.MostPoints)
                .Select(index => (index + 0.5) * seconds / BacklogTimeline.MostPoints)
                .Select(at => new BacklogPoint(at, backlog(at), 1_000.0 / BacklogTimeline.MostPoints, 10)),
        ];

    private static StepResult Judge(StepResult step) => StepJudge.Judge(step, [], []);
}

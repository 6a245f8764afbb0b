using Serdica.Perf.Analysis.LoadTests;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>How much a backlog must grow before a step counts as one that would not have gone on.</summary>
public sealed class SustainedLimitsTests
{
    /// <summary>A quarter of the usual backlog of 100, and one operation, over the nine seconds that are judged: 2.9 a second.</summary>
    [Theory]
    [InlineData(2.8, false)]
    [InlineData(2.95, true)]
    public void Growth_counts_from_a_quarter_of_the_usual_backlog(double perSecond, bool grows) =>
        Assert.Equal(
            grows,
            Judge(Growing(perSecond)).Reasons.Any(reason => reason.StartsWith("Not sustained: the backlog grew", StringComparison.Ordinal))
        );

    /// <summary>A step of 100 operations a second.</summary>
    [Theory]
    [InlineData(4.5, StepVerdict.Degraded)]
    [InlineData(5.5, StepVerdict.Failed)]
    public void Growth_by_a_twentieth_of_the_rate_fails_a_step(double perSecond, StepVerdict verdict) =>
        Assert.Equal(verdict, Judge(Growing(perSecond)).Verdict);

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
        SampleStep.Good with
        {
            Backlog = Points(10, at => 100 + (perSecond * (at - 5.5))),
        };

    private static BacklogPoint[] Points(double seconds, Func<double, double> backlog) =>
        [
            .. Enumerable
                .Range(0, BacklogTimeline.MostPoints)
                .Select(index => (index + 0.5) * seconds / BacklogTimeline.MostPoints)
                .Select(at => new BacklogPoint(at, backlog(at), 1_000.0 / BacklogTimeline.MostPoints, 10)),
        ];

    private static StepResult Judge(StepResult step) => StepJudge.Judge(step, [], []);
}

namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>What the judge finds saturated, which is what may be called a limit.</summary>
public sealed class StepSaturationTests
{
    [Fact]
    public void Step_that_kept_everything_is_not_saturated()
    {
        Assert.Null(Saturated(SampleStep.Good));
        Assert.NotNull(Judged(SampleStep.Good).Growth);
    }

    [Fact]
    public void Dropped_arrivals_come_before_running_operations_and_those_before_a_missed_rate()
    {
        var missed = SampleStep.Good with { StartedPerSecond = 90 };
        var running = Counted(missed, counts => counts with { Completed = 990, Running = 10 });
        var dropped = Counted(running, counts => counts with { Started = 999, Completed = 989, Dropped = 1 });

        Assert.Equal("1 of 1,000 arrivals found no free caller and were never started.", Saturated(dropped));
        Assert.Equal("10 operations were still running when the drain limit had passed.", Saturated(running));
        Assert.Equal("It started 90.0 of 100.0 operations a second (90.0 %).", Saturated(missed));
        Assert.Null(Saturated(dropped with { Kind = LoadKind.Closed }));
    }

    /// <summary>A rate that is only doubtful is no sign that something is at its end.</summary>
    [Theory]
    [InlineData(95.0, false)]
    [InlineData(94.9, true)]
    public void Missed_rate_is_one_that_fails_a_step(double started, bool saturated) =>
        Assert.Equal(saturated, Saturated(SampleStep.Good with { StartedPerSecond = started }) is not null);

    [Theory]
    [InlineData(16, 11, true)]
    [InlineData(15, 11, false)]
    [InlineData(16, 10, false)]
    public void Users_are_saturated_when_all_are_busy_and_arrivals_wait(int peakUsers, int late, bool saturated)
    {
        var step = Counted(SampleStep.Good with { PeakUsers = peakUsers }, counts => counts with { Late = late });

        Assert.Equal(saturated ? "11 of 1,000 arrivals waited for a free caller; all 16 were busy." : null, Saturated(step));
    }

    private static StepResult Counted(StepResult step, Func<StepCounts, StepCounts> change) => step with { Counts = change(step.Counts) };

    private static StepResult Judged(StepResult step) => StepJudge.Judge(step, [], []);

    private static string? Saturated(StepResult step) => Judged(step).Saturation;
}

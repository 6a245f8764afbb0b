namespace Serdica.Perf.Measurement.Tests.Results;

public sealed class ScenarioResultTests
{
    [Fact]
    public void Throughput_is_what_completed_over_the_measured_window() => Assert.Equal(250, SampleRun.Serial.ThroughputPerSecond);

    [Theory]
    [InlineData(ScenarioStatus.Failed)]
    [InlineData(ScenarioStatus.Aborted)]
    [InlineData(ScenarioStatus.NotMeasured)]
    public void What_did_not_pass_has_no_throughput(ScenarioStatus status) =>
        Assert.Null((SampleRun.Serial with { Status = status }).ThroughputPerSecond);

    [Fact]
    public void A_check_that_did_not_hold_takes_the_throughput_away_whatever_the_status_says() =>
        Assert.Null((SampleRun.Serial with { Verification = [new("no dead letter", false, "0", "1")] }).ThroughputPerSecond);

    [Fact]
    public void A_window_of_no_length_has_no_throughput() => Assert.Null((SampleRun.Serial with { DurationMs = 0 }).ThroughputPerSecond);

    [Fact]
    public void Counts_balance_when_every_operation_is_accounted_for_once()
    {
        Assert.True(new OperationCounts { Started = 10, Completed = 7, Failed = 1, Running = 1, DeadLettered = 1 }.Balanced);
        Assert.False(new OperationCounts { Started = 10, Completed = 9 }.Balanced);
        Assert.False(new OperationCounts { Started = 10, Completed = 10, Failed = 1 }.Balanced);
    }
}

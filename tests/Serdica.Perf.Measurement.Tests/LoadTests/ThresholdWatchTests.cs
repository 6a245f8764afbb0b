using Serdica.Perf.Measurement.Tests.Driving;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class ThresholdWatchTests
{
    [Theory]
    [InlineData("responseTime:p50 < 10s", 1_000, 500, false)]
    [InlineData("responseTime:p50 < 10s", 1_000, 501, true)]
    [InlineData("responseTime:p99 <= 10s", 20_000, 200, false)]
    [InlineData("responseTime:p99 <= 10s", 20_000, 201, true)]
    [InlineData("responseTime:max < 10s", 20_000, 100, true)]
    [InlineData("responseTime:max < 30s", 20_000, 100, false)]
    [InlineData("responseTime:average < 10s", 1_000, 499, false)]
    [InlineData("responseTime:average < 10s", 1_000, 501, true)]
    [InlineData("responseTime:p99 > 10s", 1_000, 900, false)]
    public void A_latency_is_surely_broken_when_the_rest_cannot_mend_it(string threshold, int expected, int slow, bool broken)
    {
        var (load, operations) = Load();
        for (var operation = 0; operation < slow; operation++)
            load.Recorder.Response.Record(FromSeconds(20));
        End(load, ThresholdWatch.FewestOperations);

        var evidence = new ThresholdWatch([Threshold.Parse(threshold)], load, operations, () => expected).Find();

        Assert.Equal(broken, evidence is not null);
    }

    [Theory]
    [InlineData("startToJoin:p99 <= 10ms", 100, false)]
    [InlineData("startToJoin:p99 <= 10ms", 101, true)]
    [InlineData("startToJoin:average < 10ms", 4_999, false)]
    [InlineData("startToJoin:average < 10ms", 5_001, true)]
    public void A_phase_with_several_values_of_an_operation_is_held_against_all_of_them(string threshold, int slow, bool broken)
    {
        var operations = new ShapedOperations(1, new() { FanOut = 10 }, null!, null!, null!, null!);
        var (load, _) = Load();
        End(load, ThresholdWatch.FewestOperations);
        var phase = operations.Phases.Add("startToJoin");
        for (var value = 0; value < slow; value++)
            phase.Record(FromMilliseconds(20));

        var evidence = new ThresholdWatch([Threshold.Parse(threshold)], load, operations, () => 1_000).Find();

        Assert.Equal(broken, evidence is not null);
    }

    [Theory]
    [InlineData(9, false)]
    [InlineData(11, true)]
    public void An_error_rate_is_surely_broken_when_the_rest_cannot_mend_it(int failed, bool broken)
    {
        var (load, operations) = Load();
        End(load, ThresholdWatch.FewestOperations - failed);
        End(load, failed, fail: true);

        var evidence = new ThresholdWatch([Threshold.Parse("errorRate <= 1%")], load, operations, () => 1_000).Find();

        Assert.Equal(broken, evidence is not null);
        if (evidence is not null)
            Assert.EndsWith(
                "because 'errorRate <= 1%' was surely broken: 11 operations failed, and 10 of 1,000 in the whole step may.",
                evidence
            );
    }

    [Theory]
    [InlineData(10, 0, false)]
    [InlineData(0, 10, false)]
    [InlineData(6, 5, true)]
    public void Arrivals_that_started_late_and_those_that_never_did_break_a_limit_together(int late, int dropped, bool broken)
    {
        var (load, operations) = Load();
        End(load, ThresholdWatch.FewestOperations);
        var now = load.Recorder.Clock.GetTimestamp();
        for (var arrival = 0; arrival < late; arrival++)
            load.Recorder.Start(now, now, now, lateAfter: FromTicks(-1));
        for (var arrival = 0; arrival < dropped; arrival++)
            load.Recorder.Drop(now);

        var evidence = new ThresholdWatch([Threshold.Lateness(0.01)], load, operations, () => 1_000).Find();

        Assert.Equal(broken, evidence?.Contains("11 arrivals started late or never") ?? false);
    }

    [Fact]
    public void Nothing_is_concluded_from_few_operations()
    {
        var (load, operations) = Load();
        End(load, ThresholdWatch.FewestOperations - 1, fail: true);

        Assert.Null(new ThresholdWatch([Threshold.ErrorRate(0)], load, operations, () => 1_000).Find());
    }

    private static (DrivenLoad Load, StubOperations Operations) Load()
    {
        var operations = new StubOperations(1, _ => Task.CompletedTask);
        return (DrivenLoad.Closed(new() { Name = "closed", Kind = LoadKind.Closed }, operations, log: null), operations);
    }

    private static void End(DrivenLoad load, int count, bool fail = false)
    {
        for (var operation = 0; operation < count; operation++)
        {
            var now = load.Recorder.Clock.GetTimestamp();
            load.Recorder.Start(now, now, now);
            _ = fail ? load.Recorder.Fail(new TimeoutException(), now, now) : load.Recorder.Complete(now, now);
        }
    }
}

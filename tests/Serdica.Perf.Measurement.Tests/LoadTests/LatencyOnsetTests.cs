namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class LatencyOnsetTests
{
    [Fact]
    public void The_rise_is_named_with_the_rates_on_both_sides() =>
        Assert.Equal(
            "Latency is low up to 200/s: the p99 of the response time is within twice that of the lowest rate, 10.0 ms. At 400/s it was "
                + "21.0 ms.",
            LatencyOnset.Sentence([At(400, 21), At(100, 10), At(200, 20), At(800, 15)])
        );

    [Fact]
    public void Where_nothing_rose_it_is_said_that_nothing_above_was_tried() =>
        Assert.EndsWith("10.0 ms. No rate above was tried.", LatencyOnset.Sentence([At(100, 10), At(200, 11)]));

    [Theory]
    [InlineData(StepVerdict.Passed, "At 400/s too few operations completed for a p99.")]
    [InlineData(StepVerdict.Failed, "At 400/s the step failed, with too few operations for a p99.")]
    public void A_rate_at_which_nothing_completed_was_tried(StepVerdict verdict, string expected)
    {
        var dead = At(400, 0) with { Verdict = verdict, Response = LatencySummary.Empty };

        Assert.EndsWith(
            $"10.0 ms. {expected} 1 of 3 rates had fewer than 500 operations, too few for a p99, and are left out.",
            LatencyOnset.Sentence([At(100, 10), At(200, 11), dead])
        );
    }

    [Fact]
    public void Latency_is_not_low_above_a_rate_that_failed() =>
        Assert.Contains(
            "low up to 200/s: ",
            LatencyOnset.Sentence([
                At(100, 10),
                At(200, 11),
                At(400, 0) with { Verdict = StepVerdict.Failed, Response = LatencySummary.Empty },
                At(800, 12),
            ])
        );

    [Fact]
    public void A_rate_that_failed_is_not_low() =>
        Assert.Equal(
            "Latency was low at no rate: the lowest, 100/s, failed.",
            LatencyOnset.Sentence([At(100, 10) with { Verdict = StepVerdict.Failed }, At(200, 11)])
        );

    [Fact]
    public void A_rate_with_too_few_operations_for_a_p99_is_left_out()
    {
        static StepResult Few(double rate, double p99) => At(rate, p99) with { Response = new() { Count = 499, P99Ms = p99 } };

        Assert.Null(LatencyOnset.Sentence([At(100, 10), Few(400, 90)]));
        Assert.EndsWith(
            "10.0 ms. At 400/s too few operations completed for a p99. 1 of 3 rates had fewer than 500 operations, too few for a p99, and "
                + "are left out.",
            LatencyOnset.Sentence([At(100, 10), At(200, 11), Few(400, 90)])
        );
    }

    [Fact]
    public void One_rate_has_no_range() => Assert.Null(LatencyOnset.Sentence([At(100, 10), At(100, 20)]));

    [Fact]
    public void A_rate_that_was_repeated_is_where_its_median_is() =>
        Assert.Equal(
            "Latency is low up to 200/s: the p99 of the response time is within twice that of the lowest rate, 10.0 ms. No rate above "
                + "was tried.",
            LatencyOnset.Sentence([At(100, 10), At(200, 19), At(100, 50), At(200, 90), At(100, 9), At(200, 18)])
        );

    private static StepResult At(double rate, double p99) =>
        SampleStep.Good with
        {
            Scenario = $"in-memory-test-rate-{rate}",
            TargetPerSecond = rate,
            Response = SampleStep.Good.Response with { P99Ms = p99 },
        };
}

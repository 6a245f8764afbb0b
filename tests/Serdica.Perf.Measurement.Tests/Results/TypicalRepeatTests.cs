namespace Serdica.Perf.Measurement.Tests.Results;

public sealed class TypicalRepeatTests
{
    [Fact]
    public void Percentiles_of_a_median_row_are_medians_of_percentiles()
    {
        // The headline of 2026-11-21: the run of median throughput had a p99 of 12.9 ms, and the median p99 was 14.9 ms.
        static ScenarioResult Repeat(int number, double durationMs, double p99) =>
            SampleRun.Serial with
            {
                DurationMs = durationMs,
                Parameters = SampleRun.Serial.Parameters with { Repeat = number },
                ResponseTime = SampleRun.Latency(100, 2.75) with { P99Ms = p99 },
            };

        var row = Assert.Single(TypicalRepeat.WithMedianLatencies([Repeat(1, 500, 16.1), Repeat(2, 600, 12.9), Repeat(3, 700, 14.9)]));

        Assert.Equal((2, 600, 14.9), (row.Parameters.Repeat, row.DurationMs, row.ResponseTime.P99Ms));
    }

    [Fact]
    public void A_repeat_with_too_few_samples_for_a_percentile_is_not_in_its_median()
    {
        static ScenarioResult Of(int number, long samples, double p99) =>
            Repeat(number, durationMs: 100) with { ResponseTime = SampleRun.Latency(samples, 2.75) with { P99Ms = p99 } };

        var row = Assert.Single(TypicalRepeat.WithMedianLatencies([Of(1, 99, 900), Of(2, 100, 10), Of(3, 100, 12)]));

        Assert.Equal((11, 8.25), (row.ResponseTime.P99Ms, row.ResponseTime.P95Ms));
    }

    [Fact]
    public void Maximum_and_minimum_are_those_of_all_repeats()
    {
        static ScenarioResult Of(int number, double min, double max) =>
            Repeat(number, durationMs: 100) with { ResponseTime = SampleRun.Latency(100, 2.75) with { MinMs = min, MaxMs = max } };

        var row = Assert.Single(TypicalRepeat.WithMedianLatencies([Of(1, 2, 10), Of(2, 3, 12), Of(3, 1, 5_000)]));

        Assert.Equal((1, 5_000), (row.ResponseTime.MinMs, row.ResponseTime.MaxMs));
    }

    [Fact]
    public void It_is_the_repeat_of_median_throughput_of_those_that_passed()
    {
        var repeats = new[] { Repeat(1, 100), Repeat(2, 10), Repeat(3, 50), Repeat(4, 1) with { Status = ScenarioStatus.Failed } };

        Assert.Equal(3, Assert.Single(TypicalRepeat.Of(repeats)).Parameters.Repeat);
        Assert.Equal(1, Assert.Single(TypicalRepeat.Of(repeats[..2])).Parameters.Repeat);
    }

    [Fact]
    public void When_none_passed_it_is_the_first()
    {
        var repeats = new[] { Repeat(1, 100), Repeat(2, 10) }.Select(repeat => repeat with { Status = ScenarioStatus.Failed });

        Assert.Equal(1, Assert.Single(TypicalRepeat.Of(repeats)).Parameters.Repeat);
    }

    private static ScenarioResult Repeat(int number, double durationMs) =>
        SampleRun.Scenario("signal-roundtrip-soak", "WorkflowPerfSoak", ScenarioFamilies.SignalRoundtrip, number) with
        {
            DurationMs = durationMs,
        };
}

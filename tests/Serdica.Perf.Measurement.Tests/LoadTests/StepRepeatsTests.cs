namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class StepRepeatsTests
{
    private static readonly StepResult[] Steps =
    [
        Of("low", 1, 10, StepVerdict.Passed),
        Of("high", 1, 30, StepVerdict.Failed),
        Of("low", 2, 14, StepVerdict.Passed),
        Of("high", 2, 22, StepVerdict.Passed),
        Of("low", 3, 11, StepVerdict.Passed),
        Of("high", 3, 26, StepVerdict.Degraded),
        Of("once", 1, 5, StepVerdict.Passed),
    ];

    [Fact]
    public void Repeats_stand_side_by_side_and_those_that_failed_are_among_them()
    {
        var repeats = StepRepeats.Of(Steps);

        Assert.Equal([("low", 3, 3), ("high", 3, 1)], repeats.Select(step => (step.Name, step.Repeats, step.Passed)));
        Assert.Equal((11, 10, 14), (repeats[0].P99Ms!.Median, repeats[0].P99Ms!.Min, repeats[0].P99Ms!.Max));
        Assert.Equal((26, 22, 30), (repeats[1].P99Ms!.Median, repeats[1].P99Ms!.Min, repeats[1].P99Ms!.Max));
    }

    [Fact]
    public void A_repeat_with_too_few_operations_has_no_throughput_and_no_p99()
    {
        var few = Of("low", 1, 900, StepVerdict.Passed) with
        {
            Counts = SampleStep.Good.Counts with { Completed = 99 },
            Response = new() { Count = 99, P99Ms = 900 },
        };

        var repeats = Assert.Single(StepRepeats.Of([few, Of("low", 2, 14, StepVerdict.Passed)]));

        Assert.Equal((2, 1, 1), (repeats.Repeats, repeats.ThroughputPerSecond!.Count, repeats.P99Ms!.Count));
    }

    [Fact]
    public void The_typical_repeat_is_that_of_median_p99() =>
        Assert.Equal([("low", 3), ("high", 3), ("once", 1)], StepRepeats.Typical(Steps).Select(step => (step.Scenario, step.Repeat)));

    [Fact]
    public void Of_two_the_slower_is_typical() =>
        Assert.Equal(
            2,
            Assert.Single(StepRepeats.Typical([Of("two", 1, 5, StepVerdict.Passed), Of("two", 2, 6, StepVerdict.Passed)])).Repeat
        );

    [Fact]
    public void A_repeat_in_which_nothing_completed_is_the_slowest()
    {
        var dead = Of("two", 1, 0, StepVerdict.Failed) with { Response = LatencySummary.Empty };

        Assert.Equal(1, Assert.Single(StepRepeats.Typical([dead, Of("two", 2, 6, StepVerdict.Passed)])).Repeat);
    }

    private static StepResult Of(string scenario, int repeat, double p99, StepVerdict verdict) =>
        SampleStep.Good with
        {
            Name = $"{scenario} #{repeat}",
            Scenario = scenario,
            Repeat = repeat,
            Verdict = verdict,
            Response = SampleStep.Good.Response with { P99Ms = p99 },
        };
}

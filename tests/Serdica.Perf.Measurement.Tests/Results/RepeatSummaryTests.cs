namespace Serdica.Perf.Measurement.Tests.Results;

public sealed class RepeatSummaryTests
{
    [Fact]
    public void Repeats_of_one_scenario_are_set_side_by_side()
    {
        var repeats = RepeatSummary.Of([Repeat(1, 1_000), Repeat(2, 2_000), Repeat(3, 4_000), SampleRun.Serial]);

        var summary = Assert.Single(repeats);
        Assert.Equal("postgresql-soak", summary.Name);
        Assert.Equal((3, 3), (summary.Repeats, summary.Passed));
        Assert.Equal(new Spread(3, 80, 40, 160, 1.5), summary.ThroughputPerSecond);
        Assert.Equal(2.75, summary.P50Ms!.Median);
    }

    [Fact]
    public void Repeats_that_failed_are_counted_and_have_no_figures()
    {
        var summary = RepeatSummary.Of([Repeat(1, 1_000), Repeat(2, 2_000) with { Status = ScenarioStatus.Failed }]).Single();

        Assert.Equal((2, 1), (summary.Repeats, summary.Passed));
        Assert.Equal(new Spread(1, 160, 160, 160, 0), summary.ThroughputPerSecond);
    }

    [Fact]
    public void The_median_of_an_even_number_is_between_the_two_in_the_middle() => Assert.Equal(2.5, Spread.Of([4, 1, null, 3, 2])!.Median);

    [Fact]
    public void No_figures_have_no_spread() => Assert.Null(Spread.Of([null, null]));

    [Fact]
    public void A_repeat_with_too_few_operations_for_a_figure_is_not_in_it()
    {
        var few = Repeat(1, 10) with { Counts = new() { Started = 99, Completed = 99 }, ResponseTime = SampleRun.Latency(19, 900) };

        var summary = RepeatSummary.Of([few, Repeat(2, 1_000), Repeat(3, 2_000)]).Single();

        Assert.Equal((3, 3), (summary.Repeats, summary.Passed));
        Assert.Equal(new Spread(2, 120, 80, 160, 2.0 / 3), summary.ThroughputPerSecond);
        Assert.Equal((3, 2, 2, 3), (summary.P50Ms!.Count, summary.P95Ms!.Count, summary.P99Ms!.Count, summary.MaxMs!.Count));
    }

    /// <summary>With enough operations for its throughput and its p99.</summary>
    private static ScenarioResult Repeat(int repeat, double durationMs) =>
        SampleRun.Scenario("soak", "WorkflowPerfSoak", ScenarioFamilies.SignalRoundtrip, repeat) with
        {
            Counts = new() { Started = 160, Completed = 160 },
            ResponseTime = SampleRun.Latency(160, 2.75),
            DurationMs = durationMs,
        };
}

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>
/// How often blocks raise a false alarm, and how often they detect a change. The seeds are fixed, and the figures are in
/// docs/statistics.md.
/// </summary>
public sealed class BlockDetectionTests
{
    [Theory]
    [InlineData(4, 0.15, 0.05, 0)]
    [InlineData(5, 0.05, 0, 0)]
    [InlineData(5, 0.05, 0.05, 0)]
    [InlineData(5, 0.05, 0, 0.05)]
    [InlineData(5, 0.02, 0, 0.1)]
    [InlineData(10, 0.05, 0.1, 0)]
    [InlineData(10, 0.2, 0, 0)]
    [InlineData(20, 0.2, 0.1, 0)]
    public void Of_a_hundred_comparisons_of_equal_code_at_most_one_has_any_alarm(
        int blocks,
        double spread,
        double drift,
        double disturbance
    )
    {
        // Drawing signs for many blocks takes its time.
        var comparisons = blocks > 16 ? 300 : 1_000;

        var alarms = Compare(comparisons, blocks, spread, slowerBy: 0, drift, disturbance).Count(DetectionTests.HasAlarm);

        Published.Row(
            $"{blocks}",
            Published.Percent(spread),
            Published.Percent(drift),
            Published.Percent(disturbance),
            Published.Share(alarms, comparisons)
        );
        Assert.True(alarms <= 0.01 * comparisons, $"{alarms} of {comparisons} comparisons of equal code had an alarm.");
    }

    [Theory]
    [InlineData(8, 0.02, 0)]
    [InlineData(10, 0.03, 0)]
    [InlineData(20, 0.06, 0)]
    [InlineData(20, 0.05, 0.05)]
    [InlineData(50, 0.1, 0.05)]
    public void A_slow_down_of_a_tenth_is_found_in_more_than_nine_of_ten(int blocks, double spread, double drift)
    {
        const int Comparisons = 100;

        var found = Compare(Comparisons, blocks, spread, slowerBy: 0.1, drift).Count(IsFound);

        Published.Row("10 % slower", $"{blocks}", Published.Percent(spread), Published.Percent(drift), Published.Share(found, Comparisons));
        Assert.True(found > 0.9 * Comparisons, $"The slow-down was found in {found} of {Comparisons} comparisons.");
    }

    [Fact]
    public void Five_blocks_with_a_spread_of_five_percent_find_a_throughput_that_is_fifteen_percent_lower_and_raise_no_alarm()
    {
        const int Comparisons = 1_000;
        const double SlowerBy = 1 / 0.85 - 1;

        var found = Compare(Comparisons, 5, 0.05, SlowerBy, drift: 0).Count(IsFound);
        var alarms = Compare(Comparisons, 5, 0.05, slowerBy: 0, drift: 0).Count(DetectionTests.HasAlarm);

        Published.Row("15 % less throughput", "5", "5 %", "0 %", Published.Share(found, Comparisons));
        Assert.True(found >= 0.9 * Comparisons, $"It was found in {found} of {Comparisons} comparisons.");
        Assert.True(alarms <= 0.01 * Comparisons, $"{alarms} of {Comparisons} comparisons of equal code had an alarm.");
    }

    /// <summary>As eng/regression.cs measures every night.</summary>
    [Fact]
    public void Sixteen_blocks_with_a_spread_of_five_percent_judge_throughput_by_the_limits_of_the_nightly_gate()
    {
        const int Comparisons = 300;
        const int Blocks = 16;
        var gate = GateReader.Read(Path.Combine(RepositoryRoot.Folder, "eng", "perf-gate.json"));

        var judged = Range(1, Comparisons)
            .Count(comparison =>
            {
                var blocks = SimulatedBlocks.Of(new(7_919 * comparison), Blocks, 0.05);
                var compared = BlockComparer.Compare("base", "candidate", blocks, gate.Comparison);
                var result = Gate.Judge(gate, compared, BlockComparer.Runs(blocks, AbSide.Candidate)[0], new(2026, 11, 21));
                return result.JudgedFigures.Contains((SimulatedRuns.Name, ComparedMetric.Throughput));
            });

        Published.Row("same code: throughput judged by the nightly gate", "16", "5 %", "0 %", Published.Share(judged, Comparisons));
        Assert.True(judged >= 0.95 * Comparisons, $"Throughput was judged in {judged} of {Comparisons} comparisons.");
    }

    /// <summary>
    /// Power is printed before anybody knows the true spread, and so it is the mean over comparisons that is held. It may promise
    /// only a little more than is found.
    /// </summary>
    [Theory]
    [InlineData(4, 0.03, 0.05)]
    [InlineData(4, 0.05, 0.05)]
    [InlineData(5, 0.03, 0.05)]
    [InlineData(5, 0.05, 0.05)]
    [InlineData(10, 0.05, 0.05)]
    [InlineData(10, 0.07, 0.05)]
    [InlineData(5, 0.02, 0.1)]
    public void The_printed_power_is_how_often_a_change_is_found(int blocks, double spread, double minimumEffect)
    {
        const int Comparisons = 1_000;
        var settings = ComparisonSettings.Default with { MinimumEffect = minimumEffect };

        var compared = Compare(Comparisons, blocks, spread, MetricFamilies.ShownChange, drift: 0, settings: settings).ToArray();
        var found = compared.Count(IsFound);
        var printed = compared.Average(comparison => Throughput(comparison).Power!.Value);

        Published.Row(
            $"{blocks}",
            Published.Percent(spread),
            Published.Percent(minimumEffect),
            Published.Percent(Math.Round(printed, 2)),
            Published.Share(found, Comparisons)
        );
        Assert.InRange(printed, (double)found / Comparisons - 0.1, (double)found / Comparisons + 0.06);
    }

    [Theory]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(10)]
    [InlineData(20)]
    public void The_interval_holds_the_true_ratio_about_as_often_as_it_says(int blocks)
    {
        const int Comparisons = 300;

        var held = Compare(Comparisons, blocks, 0.1, slowerBy: 0.25, drift: 0.05)
            .Count(comparison => Throughput(comparison) is { Low: <= 0.8, High: >= 0.8 });

        Published.Row("the interval contains the true ratio", $"{blocks}", "10 %", "5 %", Published.Share(held, Comparisons));
        Assert.True(held >= 0.97 * Comparisons, $"The interval held the true ratio in {held} of {Comparisons} comparisons.");
    }

    private static MetricComparison Throughput(RunComparison comparison) => comparison.Scenarios[0].Metrics[0];

    private static bool IsFound(RunComparison comparison) => Throughput(comparison).Verdict == Verdict.Regressed;

    private static IEnumerable<RunComparison> Compare(
        int comparisons,
        int blocks,
        double spread,
        double slowerBy,
        double drift,
        double disturbance = 0,
        ComparisonSettings? settings = null
    ) =>
        from comparison in Range(1, comparisons)
        let measured = SimulatedBlocks.Of(new(7_919 * comparison), blocks, spread, slowerBy, drift, disturbance)
        select BlockComparer.Compare("base", "candidate", measured, settings ?? ComparisonSettings.Default);
}

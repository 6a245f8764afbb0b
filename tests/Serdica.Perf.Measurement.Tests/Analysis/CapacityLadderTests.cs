namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class CapacityLadderTests
{
    private static readonly Arbitrary<(int Concurrency, double ThroughputPerSecond, double P95Ms)[]> Ladders = Arb.From(
        from length in Gen.Choose(2, 8)
        from figures in Gen.ArrayOf(Gen.Choose(1, 10_000).Two(), length)
        select figures.Select((figure, index) => (1 << index, (double)figure.Item1, (double)figure.Item2)).ToArray()
    );

    [Fact]
    public void The_knee_is_the_first_flat_rung_whose_p95_has_doubled()
    {
        var ladder = Of((1, 100, 10), (4, 390, 10.5), (8, 700, 12), (16, 1_000, 17), (32, 1_050, 34), (64, 1_040, 70));

        Assert.Equal(
            [
                RungVerdict.Comfortable,
                RungVerdict.Comfortable,
                RungVerdict.Comfortable,
                RungVerdict.Comfortable,
                RungVerdict.Knee,
                RungVerdict.Saturated,
            ],
            ladder.Rungs.Select(level => level.Verdict)
        );
        Assert.Equal((16, 32, 32), (ladder.LastComfortable, ladder.FirstPressure, ladder.Knee));
        Assert.Equal((0.05, 2), (Math.Round(ladder.Rungs[4].Growth!.Value, 6), ladder.Rungs[4].P95Ratio));
    }

    [Fact]
    public void A_ladder_that_saturates_in_small_steps_shows_its_knee_all_the_same()
    {
        // By Little's law p95 grows a little less than twofold with each doubling of callers.
        var ladder = Of((8, 1_000, 8), (16, 1_090, 14.7), (32, 1_150, 27.8));

        Assert.Equal((8, 16, 32), (ladder.LastComfortable, ladder.FirstPressure, ladder.Knee));
    }

    [Fact]
    public void Latency_that_grows_faster_than_throughput_is_pressure_without_a_knee()
    {
        var ladder = Of((1, 100, 10), (4, 150, 27), (16, 180, 90));

        Assert.Equal((1, 4, (int?)null), (ladder.LastComfortable, ladder.FirstPressure, ladder.Knee));
    }

    [Fact]
    public void A_ladder_that_only_grows_has_neither_pressure_nor_knee()
    {
        var ladder = Of((1, 100, 10), (4, 400, 10), (16, 1_600, 10));

        Assert.Equal((16, (int?)null, (int?)null), (ladder.LastComfortable, ladder.FirstPressure, ladder.Knee));
    }

    [Fact]
    public void Verdicts_never_go_back_along_a_ladder() => Hold(Prop.ForAll(Ladders, measured =>
            {
                var verdicts = Of(measured).Rungs.Select(level => level.Verdict).ToArray();
                return verdicts.SequenceEqual(verdicts.Order());
            }));

    [Fact]
    public void Rungs_above_do_not_change_what_is_said_of_those_below() =>
        Hold(Prop.ForAll(Ladders, measured => Of(measured[..^1]).Rungs.SequenceEqual(Of(measured).Rungs.SkipLast(1))));

    [Fact]
    public void The_knee_is_flat_and_slow_and_above_what_is_comfortable() => Hold(Prop.ForAll(Ladders, measured =>
            {
                var ladder = Of(measured);
                return ladder.Knee is not { } knee
                    || (
                        knee > ladder.LastComfortable
                        && knee >= ladder.FirstPressure
                        && ladder.Rungs.Single(level => level.Concurrency == knee).Growth < CapacityLadder.LeastGrowth
                    );
            }));

    [Fact]
    public void Order_and_unit_of_the_levels_do_not_matter() =>
        Hold(
            Prop.ForAll(Ladders, measured =>
                Of([.. measured.Reverse().Select(level => (level.Concurrency, level.ThroughputPerSecond * 8, level.P95Ms * 4))])
                    .Rungs.Select(level => level.Verdict)
                    .SequenceEqual(Of(measured).Rungs.Select(level => level.Verdict))
            )
        );

    [Fact]
    public void A_run_has_a_ladder_for_each_backend_of_the_medians_of_the_repeats_that_passed()
    {
        var ladder = Assert.Single(
            CapacityLadders.Of([
                Rung(1, 1_000),
                Rung(1, 500),
                Rung(1, 2_000),
                Rung(4, 250),
                Rung(4, 200) with { Status = ScenarioStatus.Failed },
                Rung(4, 200) with { Backend = "in-memory" },
                SampleRun.Serial,
            ])
        );

        Assert.Equal("postgresql", ladder.Backend);
        Assert.Equal([(1, 160.0), (4, 640.0)], ladder.Rungs.Select(level => (level.Concurrency, level.ThroughputPerSecond)));
        Assert.Contains("2 passed", ladder.FitRefusal);
    }

    [Theory]
    [InlineData(99, 100)]
    [InlineData(100, 19)]
    public void A_level_with_too_few_operations_for_its_throughput_or_its_p95_is_none(long completed, long samples)
    {
        var few = Rung(1, 1_000) with
        {
            Counts = new() { Started = completed, Completed = completed },
            ResponseTime = SampleRun.Latency(samples, 2.75),
        };

        Assert.Equal([4, 8], Assert.Single(CapacityLadders.Of([few, Rung(4, 250), Rung(8, 200)])).Rungs.Select(level => level.Concurrency));
        Assert.Empty(CapacityLadders.Of([few, Rung(4, 250)]));
    }

    /// <summary>A level with enough operations for its figures.</summary>
    private static ScenarioResult Rung(int concurrency, double durationMs)
    {
        var result = SampleRun.Scenario(
            $"signal-roundtrip-capacity-c{concurrency}",
            "WorkflowPerfCapacity",
            ScenarioFamilies.SignalRoundtrip
        );
        return result with
        {
            Parameters = result.Parameters with { Concurrency = concurrency },
            Counts = new() { Started = 160, Completed = 160 },
            ResponseTime = SampleRun.Latency(160, 2.75),
            DurationMs = durationMs,
        };
    }

    private static CapacityLadder Of(params (int Concurrency, double ThroughputPerSecond, double P95Ms)[] measured) =>
        CapacityLadders.Of("postgresql", LoadModel.Closed, measured);
}

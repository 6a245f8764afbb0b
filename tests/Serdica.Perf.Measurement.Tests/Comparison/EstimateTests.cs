using MathNet.Numerics.Distributions;

namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Ratios, their errors and their p, held against the formulas of the papers that they are from.</summary>
public sealed class EstimateTests
{
    [Fact]
    public void P_of_signs_is_that_of_all_ways_to_choose_them() =>
        Hold(Prop.ForAll(Gen.Choose(-3, 3).ArrayOf(7).ToArbitrary(), values =>
            {
                var sums = Range(0, 1 << values.Length)
                    .Select(signs => Math.Abs(values.Select((value, index) => (signs >> index & 1) == 1 ? -value : value).Sum()))
                    .ToArray();
                var extreme = sums.Count(sum => sum >= Math.Abs(values.Sum()));
                return SignFlipTest.PValue([.. values.Select(value => (double)value)]) == (double)extreme / sums.Length;
            }));

    /// <summary>Up to sixteen every choice is counted, two of which have one sign; of more a sample of ten thousand is drawn.</summary>
    [Fact]
    public void Signs_of_many_differences_are_drawn_and_the_measured_ones_are_among_them()
    {
        Assert.Equal(2.0 / (1 << 16), SignFlipTest.PValue([.. Repeat(0.5, 16)]));
        Assert.InRange(SignFlipTest.PValue([.. Repeat(0.5, 17)]), 1 / 10_000.0, 5 / 10_000.0);
        Assert.Equal(1 / 10_000.0, SignFlipTest.PValue([.. Repeat(0.5, 40)]));
        Assert.Equal((1, 1), (SignFlipTest.PValue(new double[4]), SignFlipTest.PValue(new double[17])));
        Assert.Equal(1, SignFlipTest.PValue([]));
    }

    /// <summary>Forty values without overlap have the exact p of such sides; one more has that of the normal distribution.</summary>
    [Fact]
    public void Ranks_of_forty_values_are_counted_and_those_of_more_approximated()
    {
        double[] Values(int count, int from) => [.. Range(from, count).Select(value => (double)value)];
        var z = ((20 * 21 / 2.0) - 0.5) / Math.Sqrt(20 * 21 / 12.0 * 42);

        Assert.Equal(1, MannWhitney.PValue(Values(20, 0), Values(20, 50)) / MannWhitney.LeastPValue(20, 20), 1e-9);
        Assert.Equal(1, MannWhitney.PValue(Values(20, 0), Values(21, 50)) / (2 * Normal.CDF(0, 1, -z)), 1e-9);
    }

    /// <summary>The outer ones of each four values in a row are of one side, and the inner ones of the other.</summary>
    [Fact]
    public void Ranks_with_equal_sums_tell_nothing()
    {
        double[] Side(params int[] places) => [.. Range(0, 44).Where(value => places.Contains(value % 4)).Select(value => (double)value)];

        Assert.Equal(1, MannWhitney.PValue(Side(0, 3), Side(1, 2)));
    }

    /// <summary>F. E. Satterthwaite: the degrees of freedom of a sum of variances.</summary>
    [Fact]
    public void Error_of_two_runs_is_of_their_repeats_and_of_the_noise_between_runs()
    {
        double[] before = [1, Math.E, Math.E * Math.E];
        double[] after = [Math.E, Math.E * Math.E];
        // Squares of logarithms about their means: 2 and 0.5, with 3 degrees of freedom.
        var repeats = 2.5 / 3 * ((1 / 3.0) + (1 / 2.0));
        const double Between = 2 * 0.3 * 0.3;

        var ratio = RunsEstimate.Of(before, after, new RunNoise(0.3, 8, 0));

        Assert.Equal(0.5, ratio.Mean, 1e-12);
        Assert.Equal(Math.Sqrt(repeats + Between), ratio.StandardError, 1e-12);
        Assert.Equal((repeats + Between) * (repeats + Between) / ((repeats * repeats / 3) + (Between * Between / 8)), ratio.Freedom, 1e-9);
    }

    [Fact]
    public void One_repeat_on_each_side_has_the_error_of_the_noise_between_runs_alone()
    {
        var ratio = RunsEstimate.Of([100], [110], new RunNoise(0.06, 8, 0));

        Assert.Equal(Math.Log(1.1), ratio.Mean, 1e-12);
        Assert.Equal(Math.Sqrt(2) * 0.06, ratio.StandardError, 1e-12);
        Assert.Equal(8, ratio.Freedom, 1e-9);
    }

    /// <summary>Times, and what the disk decides, differ more between runs than what the code determines.</summary>
    [Theory]
    [InlineData("throughput", "op/s", 0.06)]
    [InlineData("p99", "ms", 0.06)]
    [InlineData("errors", null, 0.06)]
    [InlineData("cost.walBytes", "bytes", 0.01)]
    [InlineData("cost.commits", null, 0.01)]
    [InlineData("cost.engineCpu", "ms", 0.06)]
    [InlineData("cost.sessionIdleTime", "us", 0.06)]
    [InlineData("cost.databaseDiskWrites", "bytes", 0.06)]
    public void Noise_that_no_run_has_shown_is_assumed_by_the_kind_of_metric(string metric, string? unit, double deviation) =>
        Assert.Equal(new RunNoise(deviation, 8, 0), RunNoise.Assumed(new(metric, unit, _ => null)));

    /// <summary>G. K. Smyth: the mean of both variances, by their degrees of freedom.</summary>
    [Fact]
    public void Noise_that_runs_have_shown_counts_beside_the_assumed_by_its_degrees_of_freedom()
    {
        var learned = RunNoise.Learned("p99", "ms", variance: 0.04, freedom: 2, runs: 3);

        Assert.Equal(Math.Sqrt(((8 * 0.06 * 0.06) + (2 * 0.04)) / 10), learned.Deviation, 1e-12);
        Assert.Equal((10.0, 3), (learned.Freedom, learned.Runs));
    }

    [Fact]
    public void Noise_is_learned_of_figures_that_every_run_has_and_that_are_above_zero()
    {
        var run = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100);
        RunResult Costing(params (string Name, double Value)[] costs) =>
            SampleGate.Each(
                run,
                scenario => scenario with { CostPerOperation = costs.ToDictionary(cost => cost.Name, cost => MetricValue.Of(cost.Value)) }
            );

        var noises = RunNoises.Learn([
            Costing(("walBytes", 7), ("commits", 0)),
            Costing(("walBytes", 8), ("commits", 2)),
            Costing(("commits", 2)),
        ]);

        Assert.True(noises.ContainsKey((SimulatedRuns.Name, "throughput")));
        Assert.DoesNotContain((SimulatedRuns.Name, "cost.walBytes"), noises.Keys);
        Assert.DoesNotContain((SimulatedRuns.Name, "cost.commits"), noises.Keys);
    }

    [Fact]
    public void Noise_is_not_learned_from_runs_on_other_databases_but_from_runs_with_further_scenarios()
    {
        var run = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100);
        var more = run with { Scenarios = [.. run.Scenarios, run.Scenarios[0] with { Name = "postgresql-second" }] };
        var elsewhere = run with { Databases = [SampleRun.Database with { Durability = Durability.LossOnCrash }] };

        Assert.Contains(
            "database durability: durable against lossOnCrash",
            Assert.Throws<BaselineException>(() => RunNoises.Learn([run, run, elsewhere])).Message
        );
        Assert.Throws<BaselineException>(() => RunNoises.Learn([elsewhere, run, run]));
        Assert.NotEmpty(RunNoises.Learn([more, run, more]));
        Assert.DoesNotContain(("postgresql-second", "throughput"), RunNoises.Learn([more, run, more]).Keys);
    }

    /// <summary>At nine degrees of freedom the interval reaches 3.2498 standard errors to either side.</summary>
    [Theory]
    [InlineData(9.9, false)]
    [InlineData(10.1, true)]
    public void Interval_wider_than_a_factor_of_ten_says_nothing(double width, bool saysNothing)
    {
        var ratio = new LogRatio(0, Math.Log(width) / (2 * 3.2498), 9);

        Assert.Equal(width, ratio.High / ratio.Low, 0.01);
        Assert.Equal(saysNothing, ratio.SaysNothing);
    }

    /// <summary>The least number of further blocks that nine of ten comparisons need, at the spread of the measured ones.</summary>
    [Theory]
    [InlineData(0.92, 0.03, 0.05)]
    [InlineData(1.01, 0.03, 0.05)]
    [InlineData(1.1, 0.08, 0.05)]
    [InlineData(0.98, 0.08, 0.2)]
    [InlineData(0.97, 0.03, 0.03)]
    public void Blocks_that_are_needed_are_enough_and_one_fewer_is_not(double ratio, double error, double effect)
    {
        const int Blocks = 5;
        var compared = Inconclusive(ratio, error, effect, Blocks);
        var change = Math.Max(Math.Max(ratio, 1 / ratio) - 1, effect);
        double Power(int blocks) =>
            new LogRatio(0, error * Math.Sqrt((double)Blocks / blocks), Math.Max(9, blocks - 1)).Power(
                change,
                MetricFamilies.PrimaryRate / 4
            );

        var needed = compared.BlocksNeeded!.Value;

        Assert.InRange(Power(Blocks + needed), 0.9, 1);
        Assert.True(needed == 1 || Power(Blocks + needed - 1) < 0.9, $"{needed - 1} more blocks would have been enough.");
    }

    [Fact]
    public void More_than_a_thousand_blocks_are_not_named()
    {
        var compared = Inconclusive(1.01, 0.5, 0.05, 5);

        Assert.Null(compared.BlocksNeeded);
        Assert.EndsWith("more than 1000 blocks would be needed to distinguish it from chance.", compared.Reason);
    }

    /// <summary>With seven blocks half blocks count: thirteen degrees of freedom; with eight the blocks do: seven.</summary>
    [Theory]
    [InlineData(7, 13, 14)]
    [InlineData(8, 7, 8)]
    public void Eight_blocks_are_the_least_that_count_as_samples(int blocks, int freedom, int samples)
    {
        double[] halves = [.. Range(0, 2 * blocks).Select(index => index % 3 * 0.1)];

        Assert.Equal((freedom, samples), (BlockEstimate.Of(halves).Freedom, BlockEstimate.Samples(halves).Count));
        Assert.Equal(halves.Average(), BlockEstimate.Of(halves).Mean, 1e-12);
    }

    private static MetricComparison Inconclusive(double ratio, double error, double effect, int blocks)
    {
        var known = new LogRatio(Math.Log(ratio), error, 9);
        var compared = MetricVerdict.Of(
            new(MetricVerdictTests.Compared(known, effect, permutation: 1))
            {
                Ratio = known,
                Blocks = blocks,
            },
            1,
            MetricFamilies.PrimaryRate,
            4
        );
        Assert.Equal(Verdict.Unstable, compared.Verdict);
        return compared;
    }
}
